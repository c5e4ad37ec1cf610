/** Tells a {@link FirstRun}: request by request, what the server made of them, and what the informer heard. */
import { reasons } from '../api/status.ts';
import type { TraceEntry } from '../sim/index.ts';
import { drawTimeline } from '../testing/timeline.ts';
import { type Applied, LAST_APPLIED } from './apply.ts';
import { type Paint, plain } from './colours.ts';
import { Failure } from './failure.ts';
import { type FilledIn, filledIn, shown } from './filled-in.ts';
import type { FirstRun } from './first-run.ts';
import { wrap } from './wrap.ts';

export interface StoryOptions {
  /** The longest line, in characters; the timeline itself may be wider. @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/** The timeline, with what became of each object below the request that created or changed it. */
export function tellRequests(run: FirstRun, { width = 100, paint = plain }: StoryOptions = {}): string[] {
  const entries = run.entries.filter(({ verb }) => verb !== 'start');
  const lines = drawTimeline(entries.map(asKubectlSays));
  // Once is enough: it is the same for each.
  const explained = run.applied.find(({ result }) => result.outcome === 'created');
  return lines.flatMap((line, index) => {
    const entry = entries[index];
    const details = run.applied
      .filter((each) => each.entry === entry)
      .flatMap((each) => [...(each === explained ? [ANNOTATED] : []), ...detailsOf(each.result)]);
    const refused = entry !== undefined && entry === run.refused?.entry;
    return [
      refused ? paint('red', line) : line,
      ...details.flatMap((text) => wrap(text, width, INDENT)).map((text) => paint('dim', text)),
    ];
  });
}

const ANNOTATED = `kubectl added the annotation ${LAST_APPLIED}: what you wrote, for the next apply to compare with.`;

const INDENT = ' '.repeat(10);

/** Trace entries in the words of HTTP, which `kubectl -v=6` shows. */
function asKubectlSays({ revision, ...entry }: TraceEntry): TraceEntry {
  const { verb, outcome, note } = entry;
  const method = METHODS[verb];
  if (verb === 'log' && note) return { atMs: entry.atMs, actor: entry.actor, verb: note };
  if (!method) return { ...entry, ...(revision === undefined ? {} : { revision }) };
  const code =
    outcome === 'ok'
      ? verb === 'create'
        ? '201 Created'
        : '200 OK'
      : `${codeOf(outcome)} ${outcome}`.trim();
  const preposition = { list: 'at ', watch: 'from ' }[verb] ?? '';
  const reached = revision === undefined ? {} : { note: `${preposition}revision ${revision}` };
  return { ...entry, verb: method, outcome: code, ...reached };
}

const METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  create: 'POST',
  patch: 'PATCH',
};

function codeOf(outcome: string | undefined): number | '' {
  const known: Readonly<Record<string, { readonly code: number }>> = reasons;
  return known[outcome ?? '']?.code ?? '';
}

function detailsOf({ outcome, sent, stored }: Applied): readonly string[] {
  if (outcome === 'unchanged') return ['It is as the manifest says already: there is nothing to send.'];
  if (outcome === 'configured') return ['It was there already: kubectl sent only what differs.'];
  const all = filledIn(sent, stored).filter(({ path }) => path !== 'status' && !path.startsWith('status.'));
  const [metadata, others] = partition(all, ({ path }) => path.startsWith('metadata.'));
  const [rewritten, added] = partition(others, (field) => field.sent !== undefined);
  const names = metadata.map(({ path }) => path.slice('metadata.'.length)).join(', ');
  return [
    ...(added.length > 0 ? [`The server filled in ${fields(added)} you never wrote: ${some(added)}`] : []),
    ...(rewritten.length > 0 ? [`It put ${fields(rewritten)} in other words: ${some(rewritten)}`] : []),
    `It wrote into the metadata: ${names}.`,
  ];
}

/** A few of them, those nearest to the top of the object first. */
function some(all: readonly FilledIn[]): string {
  const few = 5;
  const depth = ({ path }: FilledIn): number => path.split(/[.[]/).length;
  const first = all.toSorted((a, b) => depth(a) - depth(b)).slice(0, few);
  const rest = all.length - first.length;
  return `${first.map(shown).join(', ')}${rest > 0 ? `, … and ${rest} more.` : '.'}`;
}

const fields = ({ length }: readonly FilledIn[]): string => (length === 1 ? '1 field' : `${length} fields`);

/** What is missing in this cluster, so that nobody waits for it. */
export function tellWhatIsMissing({ pods }: FirstRun, { width = 100 }: StoryOptions = {}): string[] {
  const what =
    pods === 0
      ? 'No pod appears. This cluster is an apiserver and an informer: no controller is in it yet that would make ' +
        'pods of what you applied, no scheduler that would place them, no kubelet that would run them.'
      : `${pods === 1 ? 'The pod stays' : 'The pods stay'} Pending. This cluster is an apiserver and an informer: no ` +
        'scheduler is in it yet that would place a pod, no kubelet that would run it.';
  return wrap(
    `${what} You build them in later katas; the first builds the informer that you see at work above.`,
    width,
  );
}

/** The refusal at which the run ended, as a person is told. */
export function refusalOf({ of, error }: NonNullable<FirstRun['refused']>): Failure {
  const { key, resource } = of;
  const missing = error.reason === 'NotFound' && error.status.details?.kind === 'namespaces';
  return new Failure(
    `apply ${resource.kind} ${key.name}`,
    error.message,
    missing
      ? `Put a Namespace ${error.status.details?.name} before it in the file, with --- between them, or leave metadata.namespace out.`
      : 'Correct the manifest and apply it again.',
  );
}

function partition<T>(all: readonly T[], belongs: (each: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((each) => !belongs(each))];
}
