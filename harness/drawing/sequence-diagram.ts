import type { Client } from '../contracts/client.ts';
import type { TraceEntry } from '../sim/index.ts';

/**
 * Draws the messages between actors as a Mermaid sequence diagram. It has requests and their answers, the events of
 * watches, and notes for events of a single actor.
 *
 * Grammar: https://mermaid.js.org/syntax/sequenceDiagram.html
 */
export function drawSequence(entries: readonly TraceEntry[]): string {
  const participants = new Map<string, string>();
  const idOf = (actor: string): string => {
    const known = participants.get(actor);
    if (known) return known;
    // Actor names can contain any characters, but Mermaid ids only letters and digits.
    const id = `p${participants.size}`;
    participants.set(actor, id);
    return id;
  };
  const messages = entries.flatMap((entry) => messagesOf(entry, idOf));
  const declarations = [...participants].map(([actor, id]) => `participant ${id} as ${plain(actor)}`);
  return ['sequenceDiagram', ...[...declarations, ...messages].map((line) => `  ${line}`), ''].join('\n');
}

/** The receiver of every request. A trace does not show which replica answered. */
const SERVER = 'apiserver';

/** Every verb of the {@link Client}; the compiler checks that none is missing. */
const REQUESTS: Readonly<Record<keyof Client, true>> = {
  get: true,
  list: true,
  watch: true,
  create: true,
  update: true,
  updateStatus: true,
  patch: true,
  delete: true,
  deleteCollection: true,
  bind: true,
  evict: true,
  updateEphemeralContainers: true,
  updateApproval: true,
  createToken: true,
  finalize: true,
  getScale: true,
  updateScale: true,
};

/** Messages of a watch, including its end. */
const STREAMED: Readonly<Record<string, { readonly arrow: string; readonly told?: string }>> = {
  ADDED: { arrow: '-)' },
  MODIFIED: { arrow: '-)' },
  DELETED: { arrow: '-)' },
  BOOKMARK: { arrow: '-)' },
  ERROR: { arrow: '-)' },
  cut: { arrow: '--x', told: 'watch cut:' },
  end: { arrow: '--)', told: 'watch ended:' },
};

/** A failed connection: the request may have arrived, but no answer did. */
const UNANSWERED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'lost']);

function messagesOf(entry: TraceEntry, idOf: (actor: string) => string): readonly string[] {
  const { actor, verb, object, revision, outcome, note } = entry;
  const reached = revision === undefined ? undefined : `revision ${revision}`;
  const what = words(verb, object);
  const self = idOf(actor);
  if (Object.hasOwn(REQUESTS, verb)) {
    const server = idOf(SERVER);
    if (outcome && UNANSWERED.has(outcome)) return [`${self}-x${server}: ${plain(`${what} (${outcome})`)}`];
    // An actor that crashed meanwhile does not receive the answer.
    const arrow = outcome === 'ok, unheard' ? '--x' : '-->>';
    return [
      `${self}->>${server}: ${plain(what)}`,
      `${server}${arrow}${self}: ${plain(parts(outcome, reached, note))}`,
    ];
  }
  const streamed = STREAMED[verb];
  if (streamed) {
    const text = parts(words(streamed.told ?? verb, object), outcome, reached, note);
    return [`${idOf(SERVER)}${streamed.arrow}${self}: ${plain(text)}`];
  }
  const told =
    verb === 'log' || verb === 'explain'
      ? parts(outcome, reached, note)
      : parts(what, outcome, reached, note);
  return [`Note over ${self}: ${plain(told)}`];
}

const words = (...all: readonly (string | undefined)[]): string => all.filter(Boolean).join(' ');
const parts = (...all: readonly (string | undefined)[]): string => all.filter(Boolean).join(', ');

/**
 * Escapes Mermaid syntax: the end of a statement, an entity, markup. Replaces an empty text, which is a syntax error.
 */
function plain(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim() || '–';
  return line.replace(/[#;<>]/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = { '#': '#35;', ';': '#59;', '<': '#lt;', '>': '#gt;' };
