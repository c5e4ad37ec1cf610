import type { Pod } from '../api/objects.ts';
import { isReady } from '../api/predicates.ts';
import { reasons } from '../api/status.ts';
import { roleOf } from '../cluster/component-table.ts';
import { NETWORK } from '../cluster/whole-cluster.ts';
import { drawTimeline } from '../drawing/timeline.ts';
import { LAST_APPLIED } from '../given/11-apply/words.ts';
import type { TraceEntry } from '../sim/index.ts';
import type { Applied } from './applying.ts';
import { type Paint, plain } from './colours.ts';
import { Failure } from './failure.ts';
import { type FilledIn, filledIn, shown } from './filled-in.ts';
import type { AppliedAt, FirstRun } from './first-run.ts';
import { missingEffect } from './inert-kinds.ts';
import { wrap } from './wrap.ts';

/** Options of a story. */
interface StoryOptions {
  /** The longest line, in characters; the timeline itself may be wider. @defaultValue 100 */
  readonly width?: number;
  /** @defaultValue no colours */
  readonly paint?: Paint;
}

/** Lists the components that watch before anything is applied. */
export function tellWhoWatches(run: FirstRun, { width = 100 }: StoryOptions = {}): string[] {
  const starred = starring(run);
  const parts = [...run.watching].map(([part, resources]) => `${starred(part)} (${few(resources)})`);
  return wrap(
    `Each of these components watches the apiserver, and none knows the others: ${parts.join(', ')}.`,
    width,
  );
}

/** Shortens a list that is too long for a line. Only a component that watches all resources has such a list. */
const few = (resources: readonly string[]): string =>
  resources.length > 5 ? `all ${resources.length} resources` : resources.join(', ');

/**
 * Renders a {@link FirstRun} as a timeline: kubectl's requests, the server's changes to each object, and the resulting
 * acts of the cluster.
 */
export function tellWhatHappened(run: FirstRun, { width = 100, paint = plain }: StoryOptions = {}): string[] {
  const starred = starring(run);
  const acts = run.acts.map(({ atMs, who, what }) => ({ atMs, actor: starred(who), verb: what }));
  const asked = run.requests.map((entry) => ({ ...asKubectlSays(entry), entry }));
  const told: (TraceEntry & { readonly entry?: TraceEntry })[] = [...asked, ...acts];
  told.sort((a, b) => a.atMs - b.atMs);
  const lines = drawTimeline(told);
  const first = run.applied.find(({ result }) => result.outcome === 'created');
  // The text is similar for each object of a kind.
  const explained = new Map(run.applied.toReversed().map((each) => [each.of.resource.kind, each]));
  return lines.flatMap((line, index) => {
    const entry = told[index]?.entry;
    const details = run.applied
      .filter((each) => entry !== undefined && each.entry === entry)
      .flatMap((each) => [
        ...(each === first ? [ANNOTATED] : []),
        ...detailsOf(each),
        ...(explained.get(each.of.resource.kind) === each ? explanationOf(each, starred) : []),
      ]);
    const refused = entry !== undefined && run.refused.some((each) => each.entry === entry);
    return [
      refused ? paint('red', line) : line,
      ...details.flatMap((text) => wrap(text, width, INDENT)).map((text) => paint('dim', text)),
    ];
  });
}

const ANNOTATED = `kubectl added the annotation ${LAST_APPLIED} to store your manifest. The next apply compares with it.`;

const INDENT = ' '.repeat(10);

/** Marks a process that only follows a script. */
function starring({ scripted }: Pick<FirstRun, 'scripted'>): (who: string) => string {
  return (who) => (scripted.has(roleOf(who)) ? `${who}*` : who);
}

/** Renders trace entries in HTTP terms, as `kubectl -v=6` does. */
function asKubectlSays({ revision, ...entry }: TraceEntry): TraceEntry {
  const { verb, outcome } = entry;
  const method = METHODS[verb] ?? verb;
  const code =
    outcome === 'ok'
      ? verb === 'create'
        ? '201 Created'
        : '200 OK'
      : `${codeOf(outcome)} ${outcome}`.trim();
  const reached = revision === undefined ? {} : { note: `revision ${revision}` };
  return { ...entry, verb: method, outcome: code, ...reached };
}

const METHODS: Readonly<Record<string, string>> = { get: 'GET', create: 'POST', patch: 'PATCH' };

function codeOf(outcome: string | undefined): number | '' {
  const known: Readonly<Record<string, { readonly code: number }>> = reasons;
  return known[outcome ?? '']?.code ?? '';
}

/** Describes the values of one object. */
function detailsOf({ result }: AppliedAt): readonly string[] {
  if (result.outcome === 'unchanged') {
    return ['The object already matches the manifest: kubectl sends nothing.'];
  }
  if (result.outcome === 'configured')
    return ['The object already existed: kubectl sent only the differences.'];
  const rewritten = fieldsOfServer(result).filter(
    ({ sent, path }) => sent !== undefined && !isMetadata(path),
  );
  return rewritten.length > 0 ? [`The server rewrote ${fields(rewritten)}: ${some(rewritten)}`] : [];
}

/** Describes what happens to every object of a kind, by the example of one object. */
function explanationOf(
  { of, result, heardBy }: AppliedAt,
  starred: (who: string) => string,
): readonly string[] {
  if (result.outcome === 'unchanged') return [];
  const { plural } = of.resource;
  const notified =
    heardBy.length > 0
      ? `Components that watch ${plural} and are notified: ${heardBy.map(starred).join(', ')}.`
      : `No component here watches ${plural}: the object is only stored.`;
  if (result.outcome === 'configured') return [notified];
  const [metadata, others] = partition(fieldsOfServer(result), ({ path }) => isMetadata(path));
  const added = others.filter(({ sent }) => sent === undefined);
  const names = metadata.map(({ path }) => path.slice('metadata.'.length)).join(', ');
  return [
    ...(added.length > 0 ? [`The server filled in ${fields(added)} you never wrote: ${some(added)}`] : []),
    `It set in the metadata: ${names}.`,
    notified,
  ];
}

/** Returns the fields that the server set, except for the status. */
function fieldsOfServer({ sent, stored }: Applied): readonly FilledIn[] {
  return filledIn(sent, stored).filter(({ path }) => path !== 'status' && !path.startsWith('status.'));
}

const isMetadata = (path: string): boolean => path.startsWith('metadata.');

/** Lists a few fields, those nearest to the top of the object first. */
function some(all: readonly FilledIn[]): string {
  const few = 5;
  const depth = ({ path }: FilledIn): number => path.split(/[.[]/).length;
  const first = all.toSorted((a, b) => depth(a) - depth(b)).slice(0, few);
  const rest = all.length - first.length;
  return `${first.map(shown).join(', ')}${rest > 0 ? `, … and ${rest} more.` : '.'}`;
}

const fields = ({ length }: readonly FilledIn[]): string => (length === 1 ? '1 field' : `${length} fields`);

/** Renders the state at the end, and what this cluster lacks. */
export function tellHowItStands(run: FirstRun, { width = 100 }: StoryOptions = {}): string[] {
  const lacks = new Set(run.applied.flatMap(({ result }) => missingEffect(result.stored) ?? []));
  const unserved = [...lacks].map((lack) => `${lack}.`);
  const sentences =
    run.pods.length > 0
      ? [...standingOf(run), ...unserved, TO_BE_BUILT]
      : [
          'No pod is created.',
          ...unserved,
          'Apply a Deployment to see pods: npm start without a file does so.',
        ];
  return wrap(sentences.join(' '), width);
}

function standingOf({ pods, scripted: parts }: FirstRun): readonly string[] {
  const waiting = pods.filter((pod) => !isReady(pod));
  const processes = [...parts].filter((part) => part !== NETWORK);
  const scripted = [
    ...(processes.length === 0
      ? []
      : [
          'But components marked * only follow a script: no container runs and no request is answered, because the ' +
            `${processes.join(' and the ')} ${processes.length === 1 ? 'is' : 'are'} not built yet.`,
        ]),
    ...(parts.has(NETWORK)
      ? [
          'The network between them only follows a script: the component that carries packets between nodes is not built yet.',
        ]
      : []),
  ];
  if (waiting.length === 0) {
    const all = pods.length === 1 ? 'The pod is' : `All ${pods.length} pods are`;
    return [`${all} ready.`, ...scripted];
  }
  const [first] = waiting;
  const why = first ? ` ${first.metadata.name} ${whyNotReady(first)}.` : '';
  const which =
    waiting.length === pods.length
      ? pods.length === 1
        ? 'The pod is not ready:'
        : `None of ${pods.length} pods is ready:`
      : `${waiting.length} of ${pods.length} pods ${waiting.length === 1 ? 'is' : 'are'} not ready:`;
  return [`${which}${why}`, ...scripted];
}

function whyNotReady({ spec, status }: Pod): string {
  const waiting = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].flatMap(
    ({ state }) => state?.waiting ?? [],
  );
  const isKnown = (reason = ''): boolean => reason !== 'PodInitializing';
  const { message, reason } = waiting.find((each) => isKnown(each.reason)) ?? waiting[0] ?? {};
  if (reason) return `waits: ${reason}${message ? `, ${message}` : ''}`;
  if (!spec.nodeName) {
    const why = status.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
    return why ? `has no node: ${why.replace(/\.$/, '')}` : 'is not bound to a node';
  }
  return `is ${status.phase}`;
}

const TO_BE_BUILT =
  'You build the components shown above in the katas below; the others follow in later katas.';

/** Returns the first error of a run as a message for the user; undefined if every object was applied. */
export function refusalOf({ refused: [first, ...more] }: Pick<FirstRun, 'refused'>): Failure | undefined {
  if (!first) return undefined;
  const { key, resource } = first.of;
  const { message, error } = first.refused;
  const missing = error?.reason === 'NotFound' && error.status.details?.kind === 'namespaces';
  return new Failure(
    `apply ${resource.kind} ${key.name}`,
    more.length === 0 ? message : `${message} (and ${more.length} more)`,
    missing
      ? `Put a Namespace ${error.status.details?.name} before it in the file, with --- between them, or leave metadata.namespace out.`
      : 'Correct the manifest and apply it again.',
  );
}

function partition<T>(all: readonly T[], belongs: (each: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((each) => !belongs(each))];
}
