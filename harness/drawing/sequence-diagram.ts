import type { Client } from '../contracts/client.ts';
import type { TraceEntry } from '../sim/index.ts';

/**
 * Draws which actor said what to which, as the text of a Mermaid sequence diagram: requests and their answers, the events
 * of watches, and, as notes, what an actor did or what happened to it by itself.
 *
 * Grammar: https://mermaid.js.org/syntax/sequenceDiagram.html
 */
export function drawSequence(entries: readonly TraceEntry[]): string {
  const participants = new Map<string, string>();
  const idOf = (actor: string): string => {
    const known = participants.get(actor);
    if (known) return known;
    // Actors are called what they like; Mermaid takes plain words.
    const id = `p${participants.size}`;
    participants.set(actor, id);
    return id;
  };
  const messages = entries.flatMap((entry) => messagesOf(entry, idOf));
  const declarations = [...participants].map(([actor, id]) => `participant ${id} as ${plain(actor)}`);
  return ['sequenceDiagram', ...[...declarations, ...messages].map((line) => `  ${line}`), ''].join('\n');
}

/** The other end of every request. Which replica it was that answered, a trace does not say. */
const SERVER = 'apiserver';

/** Every verb of the {@link Client}; the compiler sees to it that none is missing. */
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

/** What comes down a watch, or is the end of it. */
const STREAMED: Readonly<Record<string, { readonly arrow: string; readonly told?: string }>> = {
  ADDED: { arrow: '-)' },
  MODIFIED: { arrow: '-)' },
  DELETED: { arrow: '-)' },
  BOOKMARK: { arrow: '-)' },
  ERROR: { arrow: '-)' },
  cut: { arrow: '--x', told: 'watch cut:' },
  end: { arrow: '--)', told: 'watch ended:' },
};

/** A connection that failed: the request may have arrived or not, an answer there was none. */
const UNANSWERED: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'lost']);

function messagesOf(entry: TraceEntry, idOf: (actor: string) => string): readonly string[] {
  const { actor, verb, object, revision, outcome, note } = entry;
  const reached = revision === undefined ? undefined : `revision ${revision}`;
  const what = words(verb, object);
  const self = idOf(actor);
  if (Object.hasOwn(REQUESTS, verb)) {
    const server = idOf(SERVER);
    if (outcome && UNANSWERED.has(outcome)) return [`${self}-x${server}: ${plain(`${what} (${outcome})`)}`];
    // An actor that crashed meanwhile does not hear the answer.
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
  const told = verb === 'log' ? parts(outcome, reached, note) : parts(what, outcome, reached, note);
  return [`Note over ${self}: ${plain(told)}`];
}

const words = (...all: readonly (string | undefined)[]): string => all.filter(Boolean).join(' ');
const parts = (...all: readonly (string | undefined)[]): string => all.filter(Boolean).join(', ');

/** What Mermaid would read as its own: the end of a statement, an entity, markup. An empty text is a mistake. */
function plain(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim() || '–';
  return line.replace(/[#;<>]/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Readonly<Record<string, string>> = { '#': '#35;', ';': '#59;', '<': '#lt;', '>': '#gt;' };
