import type { FilesystemUsage } from '../../../contracts/node/cri/index.ts';
import type { Violation } from '../../../testing/holds.ts';
import { type CallRead, fullName, type Reading, type RunRead, type Stay } from '../oracle/reading.ts';
import { podless } from './answers.ts';
import { SOON_MS } from './waiting.ts';

/** The images that a manager removes, and the times of their removal. */

/** One call of `removeImage` in a collection. */
interface Removal {
  readonly call: CallRead;
  readonly stay: Stay | undefined;
}

interface Collection {
  readonly run: RunRead;
  readonly removals: readonly Removal[];
  /** The disk usage that the run has read. */
  readonly usage: FilesystemUsage | undefined;
  /** The bytes that it has to free at this usage. */
  readonly wantedBytes: number;
  /** Whether it failed to read the images, the containers or the disk usage. */
  readonly blind: boolean;
}

const MIN_AGE_MS = 120_000;

function collectionsOf(reading: Reading): readonly Collection[] {
  return reading.runs.map((run) => {
    const calls = reading.calls.filter((call) => call.incarnation === run.incarnation && isWithin(call, run));
    const removals = calls
      .filter(({ verb }) => verb === 'removeImage')
      .map((call) => ({
        call,
        stay: stayOf(reading, (call.args[0] as { image: string }).image, call.began),
      }));
    const usage = calls.findLast(({ verb, result }) => verb === 'imageFsInfo' && result)?.result as
      | FilesystemUsage
      | undefined;
    const looks = ['listImages', 'listContainers', 'imageFsInfo'];
    const blind = calls.some(({ verb, error }) => looks.includes(verb) && error !== undefined);
    return { run, removals, usage, wantedBytes: wantedBytes(reading, run, usage), blind };
  });
}

function isWithin({ began }: CallRead, run: RunRead): boolean {
  return began > run.began && began < (run.ended ?? Number.POSITIVE_INFINITY);
}

function stayOf({ stays }: Reading, image: string, at: number): Stay | undefined {
  return stays.find(
    ({ image: { id, repoTags, repoDigests }, from, to }) =>
      from < at &&
      to > at &&
      (id === image || [...repoTags, ...repoDigests].some((name) => fullName(name) === fullName(image))),
  );
}

function thresholdsOf({ history }: Reading): {
  readonly high: number;
  readonly low: number;
  readonly minAgeMs: number;
} {
  const {
    imageGCHighThresholdPercent: high = 85,
    imageGCLowThresholdPercent: low = 80,
    imageMinimumGCAgeMs: minAgeMs = MIN_AGE_MS,
  } = history.scenario.configuration;
  return { high, low, minAgeMs };
}

function percentUsed({ capacityBytes, availableBytes }: FilesystemUsage): number {
  return 100 - Math.floor((availableBytes / capacityBytes) * 100 + 1e-9);
}

function wantedBytes(reading: Reading, run: RunRead, usage: FilesystemUsage | undefined): number {
  if (run.call === 'deleteUnusedImages') return Number.POSITIVE_INFINITY;
  const { high, low } = thresholdsOf(reading);
  if (!usage || percentUsed(usage) < high) return 0;
  return Math.floor((usage.capacityBytes * (100 - low)) / 100) - usage.availableBytes;
}

/** Safety. An image of a container, whether that runs or not, or a pinned image, is never removed. */
export function keepsUsed(reading: Reading): readonly Violation[] {
  return collectionsOf(reading).flatMap(({ run, removals }) =>
    removals.flatMap(({ call, stay }) => {
      if (!stay) return [];
      if (stay.image.pinned) return [at(call, `the manager removed ${nameOf(stay)}, which is pinned`)];
      const user = usersOf(reading, stay).find(({ from, to }) => from < run.began && to > call.began);
      return user
        ? [
            at(
              call,
              `the manager removed ${nameOf(stay)}, although container ${user.container.id} was made from it; containers that have stopped count, too`,
            ),
          ]
        : [];
    }),
  );
}

/** Safety. An image that this kubelet has not known for long enough is never removed. */
export function keepsNew(reading: Reading): readonly Violation[] {
  const { minAgeMs } = thresholdsOf(reading);
  return collectionsOf(reading).flatMap(({ run, removals }) =>
    removals.flatMap(({ call, stay }) => {
      const sinceMs = Math.max(stay?.fromMs ?? 0, reading.incarnations.get(run.incarnation)?.fromMs ?? 0);
      if (!stay || call.beganMs - sinceMs >= minAgeMs) return [];
      return [
        at(
          call,
          `the manager removed ${nameOf(stay)}, which this kubelet can have known for only ${call.beganMs - sinceMs} ms; imageMinimumGCAge is ${minAgeMs} ms, and it counts from the first time that this kubelet sees an image`,
        ),
      ];
    }),
  );
}

/** Safety. Images are removed only if the disk is too full, and only as many as necessary. */
export function noExcess(reading: Reading): readonly Violation[] {
  const collections = collectionsOf(reading);
  const within = new Set(collections.flatMap(({ removals }) => removals.map(({ call }) => call)));
  const stray = reading.calls.filter((call) => call.verb === 'removeImage' && !within.has(call));
  const { low } = thresholdsOf(reading);
  return [
    ...stray.map((call) => at(call, 'the manager removed an image outside of a garbage collection')),
    ...collections.flatMap(({ removals, usage, wantedBytes: wanted }) => {
      let freedBytes = 0;
      return removals.flatMap(({ call, stay }) => {
        const full = usage ? `${percentUsed(usage)} % of the disk in use` : 'an unknown disk usage';
        const enough = freedBytes > 0 && freedBytes >= wanted;
        if (call.error === undefined) freedBytes += stay?.image.sizeBytes ?? 0;
        if (wanted <= 0 && !(wanted === 0 && usage && percentUsed(usage) > low)) {
          return [at(call, `the manager removed an image with ${full}, below the threshold`)];
        }
        return enough
          ? [
              at(
                call,
                `the manager removed one more image although it had freed ${freedBytes} bytes${goal(reading, wanted, freedBytes)}`,
              ),
            ]
          : [];
      });
    }),
  ];
}

/** Safety. The image that has been unused for longest is removed first. */
export function longestUnusedFirst(reading: Reading): readonly Violation[] {
  return collectionsOf(reading).flatMap(({ run, removals }) =>
    removals.flatMap(({ call, stay }, i) => {
      if (!stay) return [];
      const gone = new Set(removals.slice(0, i).map((before) => before.stay?.image.id));
      const kept = candidatesIn(reading, run).filter(
        ({ image }) => !gone.has(image.id) && image.id !== stay.image.id,
      );
      const older = kept.find((other) => isOlder(reading, run, other, stay));
      return older
        ? [
            at(
              call,
              `the manager removed ${nameOf(stay)}, which ${lastUse(reading, stay, run)}, before ${nameOf(older)}, which ${lastUse(reading, older, run)} and so has been unused for longer`,
            ),
          ]
        : [];
    }),
  );
}

function lastUse(reading: Reading, stay: Stay, run: RunRead): string {
  const users = usersOf(reading, stay).filter(({ from }) => from < run.began);
  if (users.length === 0) return 'no container has used';
  const to = Math.max(...users.map((user) => Math.min(user.to, run.began)));
  const names = users.map(({ container }) => container.id).join(', ');
  return `${names} used until ${reading.history.entries[to]?.atMs} ms`;
}

/** Whether each correct manager must know that one image was last used before the other. */
function isOlder(reading: Reading, run: RunRead, one: Stay, other: Stay): boolean {
  const looks = reading.runs.filter(
    (look) =>
      look.incarnation === run.incarnation &&
      look.ended !== undefined &&
      look.ended < run.began &&
      look.error === undefined,
  );
  const usedDuring = (stay: Stay, { began, ended = began }: RunRead): boolean =>
    usersOf(reading, stay).some(({ from, to }) => from < began && to > ended);
  const usedSince = (stay: Stay, from: number): boolean => usersOf(reading, stay).some(({ to }) => to > from);
  return looks.some((look) => usedDuring(other, look) && !usedSince(one, look.began));
}

/** Returns the images that certainly may be removed in this run. */
function candidatesIn(reading: Reading, run: RunRead): readonly Stay[] {
  const { minAgeMs } = thresholdsOf(reading);
  const end = run.ended ?? run.began;
  const looks = reading.runs.filter(
    (look) =>
      look.incarnation === run.incarnation &&
      look.error === undefined &&
      (look.endedMs ?? Number.POSITIVE_INFINITY) <= run.beganMs - minAgeMs,
  );
  return reading.stays.filter(
    (stay) =>
      !stay.image.pinned &&
      stay.from < run.began &&
      stay.to > run.began &&
      looks.some((look) => stay.from < look.began || isOldEnough(reading, stay, look)) &&
      !usersOf(reading, stay).some(({ from, to }) => from < end && to > run.began),
  );
}

/** Whether a stay continues an earlier one of the same image. */
function isOldEnough({ stays }: Reading, stay: Stay, { began }: RunRead): boolean {
  const before = stays.find(({ image, to }) => image.id === stay.image.id && to === stay.from);
  return before !== undefined && before.from < began;
}

function usersOf({ containers }: Reading, { image }: Stay) {
  return containers.filter(({ container }) => container.imageId === image.id);
}

/** Liveness. A collection frees enough space, or reports that it could not: with an error, and an event about the node. */
export function freesEnough(reading: Reading): readonly Violation[] {
  return collectionsOf(reading).flatMap((collection) => {
    const { run, removals, usage, wantedBytes: wanted, blind } = collection;
    if (run.ended === undefined) return unfinished(reading, run);
    const failed = removals.flatMap(({ call }) => call.error ?? []);
    if (blind)
      return run.error === undefined
        ? [end(run, 'succeeded although a call of the runtime failed; it must throw that error')]
        : [];
    const removed = removals.filter(({ call }) => call.error === undefined);
    const freedBytes = removed.reduce((sum, { stay }) => sum + (stay?.image.sizeBytes ?? 0), 0);
    const tried = new Set(removals.map(({ stay }) => stay?.image.id));
    const left =
      freedBytes >= wanted ? undefined : candidatesIn(reading, run).find(({ image }) => !tried.has(image.id));
    if (left)
      return [
        end(run, `kept ${nameOf(left)}, which it could have removed${goal(reading, wanted, freedBytes)}`),
      ];
    if (failed.length > 0) {
      const says =
        failed.every((text) => run.error?.includes(text)) && run.error?.startsWith('wanted to free');
      return says
        ? []
        : [
            end(
              run,
              `failed with "${run.error ?? 'no error'}"; the error must contain the failed removals: ${failed.join(', ')}`,
            ),
          ];
    }
    const message =
      usage && wanted !== Number.POSITIVE_INFINITY && freedBytes < wanted
        ? shortfall(usage, freedBytes)
        : undefined;
    const events = message === undefined ? [] : [`Warning FreeDiskSpaceFailed ${message}`];
    if (run.error !== message)
      return [
        end(
          run,
          `failed with "${run.error ?? 'no error'}"; expected "${message ?? 'no error'}"${goal(reading, wanted, freedBytes)}`,
        ),
      ];
    if (run.events.join() === events.join()) return [];
    return [
      end(
        run,
        `emitted about the node "${run.events.join() || 'no event'}"; expected "${events.join() || 'no event'}"`,
      ),
    ];
  });
}

function goal(reading: Reading, wanted: number, freedBytes: number): string {
  if (wanted === Number.POSITIVE_INFINITY) return '';
  const { high, low } = thresholdsOf(reading);
  return `: from ${high} % in use (imageGCHighThresholdPercent) it must free down to ${low} % (imageGCLowThresholdPercent), here ${wanted} bytes, and it freed ${freedBytes}`;
}

function unfinished(reading: Reading, run: RunRead): readonly Violation[] {
  const endMs = Math.min(reading.endMs, reading.incarnations.get(run.incarnation)?.toMs ?? 0);
  const busy = reading.calls.filter(
    (call) =>
      call.incarnation === run.incarnation && call.beganMs >= run.beganMs && call.verb === 'removeImage',
  );
  const lastMs = busy.at(-1)?.endedMs ?? run.beganMs;
  return endMs - lastMs > SOON_MS
    ? [
        {
          atMs: lastMs + SOON_MS,
          message: `${run.call} has not ended ${SOON_MS} ms after its last removal`,
        },
      ]
    : [];
}

function shortfall(usage: FilesystemUsage, freedBytes: number): string {
  const gib = (usage.capacityBytes / 1_024 ** 2).toFixed(1);
  return (
    `Insufficient free disk space on the node's image filesystem (${percentUsed(usage)}% of ${gib} MiB used). ` +
    `Failed to free sufficient space by deleting unused images (freed ${freedBytes} bytes). ` +
    'Investigate disk usage, as it could be used by active images, logs, volumes, or other data.'
  );
}

/** Safety. The manager pulls, removes and writes only during a request or a collection. */
export function quiet(reading: Reading): readonly Violation[] {
  const mutating = ['pullImage', 'writeFile', 'rename', 'mkdirAll', 'removeAll'];
  const pulls = new Set(reading.asks.flatMap((ask) => ask.pulls));
  return reading.calls.flatMap((call) => {
    if (!mutating.includes(call.verb)) return [];
    if (call.verb === 'pullImage' && !pulls.has(call))
      return [
        at(
          call,
          call.args[2] === undefined
            ? podless(call)
            : 'the manager pulled an image for a pod that did not request it',
        ),
      ];
    const wanted = [...reading.asks, ...reading.runs].some(
      ({ incarnation, beganMs, endedMs = Number.POSITIVE_INFINITY }) =>
        incarnation === call.incarnation && beganMs <= call.beganMs && endedMs + SOON_MS >= call.beganMs,
    );
    return wanted
      ? []
      : [
          at(
            call,
            `the manager called ${call.verb}, although no ensureImageExists and no collection was running`,
          ),
        ];
  });
}

/** Whether a collection has this property. */
export function someRun(
  reading: Reading,
  is: (collection: { readonly removed: number; readonly wanted: number; readonly ended: boolean }) => boolean,
): boolean {
  return collectionsOf(reading).some(({ run, removals, wantedBytes: wanted }) =>
    is({ removed: removals.length, wanted, ended: run.ended !== undefined }),
  );
}

/** Whether an image was removed while a container used another one. */
export function someRemovalBesideUse(reading: Reading): boolean {
  return collectionsOf(reading).some(
    ({ run, removals }) =>
      removals.length > 0 &&
      reading.containers.some(({ from, to }) => from < run.began && to > (run.ended ?? 0)),
  );
}

/** Whether a collection had a choice between several images, and removed one. */
export function someChoice(reading: Reading): boolean {
  return collectionsOf(reading).some(({ run, removals }) => {
    const candidates = candidatesIn(reading, run);
    return (
      removals.length > 0 &&
      candidates.some((one) => candidates.some((other) => isOlder(reading, run, one, other)))
    );
  });
}

function nameOf({ image }: Stay): string {
  return image.repoTags[0] ?? image.id;
}

function at({ beganMs }: CallRead, message: string): Violation {
  return { atMs: beganMs, message };
}

function end(run: RunRead, message: string): Violation {
  return { atMs: run.endedMs ?? run.beganMs, message: `${run.call} ${message}` };
}
