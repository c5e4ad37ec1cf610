import { createHash } from 'node:crypto';
import { type AskRead, type CallRead, fullName, type Reading } from './reading.ts';

/**
 * Explains which records of an image the manager had at its answer to a pod, from the files that it wrote and removed.
 *
 * @returns no line if the manager keeps its records in other files
 */
export function recordsAt(reading: Reading, ask: AskRead, imageRef: string): readonly string[] {
  const [pulling, pulled] = [
    // The intent of this request's own pull says nothing about the pull before it.
    recordOf(reading, ask.pulls.length > 0 ? ask.began : ask.ended, 'pulling', ask.pod.image),
    recordOf(reading, ask.pulls[0]?.began ?? ask.ended, 'pulled', imageRef),
  ];
  const isUsed = reading.calls.some(({ args }) => /\/pull(ing|ed)\/sha256-/.test(String(args[0])));
  if (!isUsed) return [];
  const isKept = [pulling, pulled].some((call) => call?.verb === 'rename');
  const tooLate = pulled ? undefined : laterRecord(reading, ask, imageRef);
  const missing = tooLate
    ? `is written only later (${tooLate.verb} called at ${tooLate.beganMs} ms)`
    : fateOf(pulled);
  const advice = tooLate
    ? 'write the pulled record before you remove the pulling record.'
    : 'delete the pulling record only after the pulled record is written, or after the pull has failed. Keep it after an aborted pull, or a pull without an answer: that pull may still succeed.';
  return [
    `Its records at this time: the pulling record ${fateOf(pulling)}; the pulled record ${missing}${contentOf(reading, pulled)}.${pulled ? '' : lastPull(reading, ask)}`,
    ...(isKept || ask.pulls.length > 0
      ? []
      : [`Without any record, an image counts as preloaded: ${advice}`]),
  ];
}

/** Describes the last pull of the image before a request, which left no pulled record. Empty without such a pull. */
function lastPull({ calls }: Reading, { began, pod }: AskRead): string {
  const pull = calls.findLast(
    ({ verb, args, result, ended = Number.POSITIVE_INFINITY }) =>
      verb === 'pullImage' &&
      result !== undefined &&
      ended < began &&
      fullName((args[0] as { image: string }).image) === fullName(pod.image),
  );
  return pull
    ? ` The pull that ended at ${pull.endedMs} ms was the last one: write the pulled record after it.`
    : '';
}

/** Returns the first call after an answer that writes the pulled record of the image. */
function laterRecord({ calls }: Reading, { ended = 0 }: AskRead, imageRef: string): CallRead | undefined {
  const path = pathOf('pulled', imageRef);
  return calls.find(
    ({ verb, args, began }) =>
      began > ended && ['writeFile', 'rename'].includes(verb) && String(args[0]).includes(path),
  );
}

function pathOf(kind: 'pulling' | 'pulled', name: string): string {
  return `/${kind}/sha256-${createHash('sha256').update(name).digest('hex')}`;
}

/** Returns the last call before an index of the history that wrote or removed a record. */
function recordOf(
  { calls }: Reading,
  before = Number.POSITIVE_INFINITY,
  kind: 'pulling' | 'pulled',
  name: string,
): CallRead | undefined {
  const path = pathOf(kind, name);
  return calls.findLast(
    ({ verb, args, error, ended = Number.POSITIVE_INFINITY }) =>
      error === undefined &&
      ended < before &&
      String(args[verb === 'rename' ? 1 : 0]).endsWith(path) &&
      (verb === 'rename' || verb === 'removeAll'),
  );
}

function fateOf(call: CallRead | undefined): string {
  if (!call) return 'was never written';
  return `was ${call.verb === 'rename' ? 'written' : 'removed'} (${call.verb} called at ${call.beganMs} ms)`;
}

function contentOf({ calls }: Reading, call: CallRead | undefined): string {
  if (call?.verb !== 'rename') return '';
  const file = call.args[0];
  const write = calls.findLast(
    ({ verb, args, began }) => verb === 'writeFile' && args[0] === file && began < call.began,
  );
  const { credentialMapping } = JSON.parse(String(write?.args[1] ?? '{}')) as { credentialMapping?: unknown };
  return credentialMapping === undefined
    ? ''
    : ` with ${JSON.stringify(credentialMapping).replace(/([0-9a-f]{8})[0-9a-f]{56}/g, '$1')}`;
}
