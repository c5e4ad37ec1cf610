/**
 * An image manager in one closure, by a learner with their own design. It has one list of waiting pulls, one table of
 * failures, and one file for all persistent state.
 */
import {
  type Credential,
  credentialHash,
  dockerConfigOf,
  errorText,
  freeDiskSpaceFailed,
  imageMessages,
  orAborted,
  PullLimiter,
  parseDockerConfig,
} from '#given/43-images';
import {
  type cri,
  ImageError,
  type ImageErrorReason,
  type ImageManagerOptions,
  type ImageRequest,
  type NewImageManager,
} from '#harness';
import { fitting, fullName, readName } from './free-names.ts';

const STATE = '/var/lib/kubelet/image_manager/state.json';

/** The state that outlives the kubelet. */
interface State {
  /**
   * By id and repository: the credentials that have pulled the image. `all`, or the uid of a secret and the hash of its
   * credentials.
   */
  readonly pulled: Record<string, Record<string, [uid: string, hash: string][] | 'all'>>;
  /** By full name: the number of pulls with unknown credentials. */
  readonly doubts: Record<string, number>;
}

export const newImageManager: NewImageManager = (options) => {
  const { clock, recorder, images, dockerConfig, configuration = {} } = options;
  const node = dockerConfig === undefined ? [] : parseDockerConfig(dockerConfig);
  const state = stateOf(options);
  const limiter = new PullLimiter({
    clock,
    qps: configuration.registryPullQPS ?? 5,
    burst: configuration.registryBurst ?? 10,
  });
  const troubles = new Map<string, { untilMs: number; waitMs: number; sinceMs: number; why: string }>();
  const waiting: (() => void)[] = [];
  let free =
    configuration.serializeImagePulls === false
      ? (configuration.maxParallelImagePulls ?? Number.POSITIVE_INFINITY)
      : 1;

  function refuse(request: ImageRequest, event: string, reason: ImageErrorReason, message: string): never {
    recorder.event(request.reference, 'Warning', event, message);
    throw new ImageError(reason, message);
  }

  async function inTurn<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (free === 0) {
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      try {
        await orAborted(turn, signal);
      } catch (error) {
        turn.then(leave);
        throw error;
      }
    } else free--;
    return await orAborted(work(), signal).finally(leave);
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }

  async function ensureImageExists(request: ImageRequest): Promise<string> {
    const { image = '', imagePullPolicy } = request.container;
    const name = readName(image);
    if (typeof name === 'string') {
      return refuse(request, 'InspectFailed', 'InvalidImageName', imageMessages.invalidName(image, name));
    }
    const { repository, tag, digest } = name;
    const spec = digest || image.endsWith(`:${tag}`) ? image : `${image}:${tag}`;
    const policy = imagePullPolicy ?? (tag === 'latest' ? 'Always' : 'IfNotPresent');
    const credentials = () => {
      try {
        const own = request.pullSecrets.flatMap((secret) =>
          (dockerConfigOf(secret) ?? []).map((one) => ({ ...one, secret })),
        );
        return [...fitting(repository, own), ...fitting(repository, node)];
      } catch (error) {
        throw new ImageError('ErrImagePull', errorText(error));
      }
    };
    if (policy !== 'Always') {
      const there = await images.imageStatus({ image: spec }).catch((error: unknown) => {
        const message = imageMessages.inspectFailed(errorText(error));
        return refuse(request, 'InspectFailed', 'ImageInspectError', message);
      });
      if (there && (await state.mayUse(there, { image, repository, credentials }))) {
        recorder.event(request.reference, 'Normal', 'Pulled', imageMessages.present(image));
        return there.id;
      }
      if (policy === 'Never') {
        return refuse(request, 'ErrImageNeverPull', 'ErrImageNeverPull', imageMessages.neverPull(image));
      }
    }
    return await pull(request, { spec, repository, full: fullName(name), credentials: credentials() });
  }

  async function pull(
    request: ImageRequest,
    what: { spec: string; repository: string; full: string; credentials: readonly Credential[] },
  ): Promise<string> {
    const { image = '' } = request.container;
    const key = JSON.stringify([request.pod.metadata.uid, image]);
    const trouble = troubles.get(key);
    if (trouble && clock.now() < trouble.untilMs) {
      recorder.event(request.reference, 'Normal', 'BackOff', imageMessages.backOff(image));
      throw new ImageError('ImagePullBackOff', `${imageMessages.backOff(image)}: ${trouble.why}`);
    }
    const settle = await state.begin(what.full).catch((error: unknown) => {
      throw new ImageError('ErrImagePull', imageMessages.intentFailed(image, errorText(error)));
    });
    const askedMs = clock.now();
    recorder.event(request.reference, 'Normal', 'Pulling', imageMessages.pulling(image));
    try {
      const pulled = await inTurn(request.signal, () => fetch(request, what));
      const times = { ...pulled, withWaitingMs: clock.now() - askedMs };
      recorder.event(request.reference, 'Normal', 'Pulled', imageMessages.pulled(image, times));
      await settle({ id: pulled.id, repository: what.repository, by: pulled.by });
      return pulled.imageRef;
    } catch (error) {
      const text = errorText(error);
      recorder.event(request.reference, 'Warning', 'Failed', imageMessages.failed(image, text));
      const [, word, rest = ''] = /^(RegistryUnavailable|SignatureValidationFailed)(.*)$/s.exec(text) ?? [];
      const tell =
        word === 'RegistryUnavailable' ? imageMessages.registryUnavailable : imageMessages.signatureInvalid;
      const reason = (word ?? 'ErrImagePull') as ImageErrorReason;
      const message = word ? tell(image, rest) : text;
      const nowMs = clock.now();
      const again = trouble && nowMs - trouble.sinceMs <= 600_000;
      const waitMs = again ? Math.min(300_000, trouble.waitMs * 2) : 10_000;
      troubles.set(key, { waitMs, sinceMs: nowMs, untilMs: nowMs + waitMs, why: `${reason}: ${message}` });
      await settle(request.signal?.aborted ? 'unknown' : 'failed');
      throw new ImageError(reason, message);
    }
  }

  async function fetch(
    { sandboxConfig, signal }: ImageRequest,
    { spec, credentials }: { spec: string; credentials: readonly Credential[] },
  ) {
    const startedMs = clock.now();
    if (!limiter.tryAccept()) throw new Error('pull QPS exceeded');
    const told: string[] = [];
    for (const by of credentials.length > 0 ? credentials : [undefined]) {
      signal?.throwIfAborted();
      const auth = by && { username: by.username, password: by.password };
      try {
        const imageRef = await images.pullImage({ image: spec }, auth, sandboxConfig, signal);
        const status = await images.imageStatus({ image: spec }).catch(() => undefined);
        const { id = imageRef, sizeBytes = 0 } = status ?? {};
        return { imageRef, id, sizeBytes, by, tookMs: clock.now() - startedMs };
      } catch (error) {
        const text = errorText(error);
        if (!told.includes(text)) told.push(text);
      }
    }
    throw new Error(told.length > 1 ? `[${told.join(', ')}]` : told[0]);
  }

  return { ensureImageExists, ...collectorOf(options, state) };
};

/** The persistent state, which the next kubelet reads again. */
function stateOf({ files, configuration = {} }: ImageManagerOptions) {
  const { imagePullCredentialsVerificationPolicy: policy = 'NeverVerifyPreloadedImages' } = configuration;
  let memory: State | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };
  async function read(): Promise<State> {
    if (memory) return memory;
    const there = await files.lstat(STATE);
    memory = there ? (JSON.parse(await files.readFile(STATE)) as State) : { pulled: {}, doubts: {} };
    return memory;
  }
  async function write(next: State): Promise<void> {
    await files.mkdirAll('/var/lib/kubelet/image_manager');
    await files.writeFile(`${STATE}.new`, JSON.stringify(next));
    await files.rename(`${STATE}.new`, STATE);
    memory = next;
  }
  const withDoubt = ({ pulled, doubts }: State, name: string, more: number): State => {
    const { [name]: before = 0, ...others } = doubts;
    return { pulled, doubts: before + more > 0 ? { ...others, [name]: before + more } : others };
  };
  const add = (state: State, id: string, repository: string, by: Credential | undefined): State => {
    const known = state.pulled[id]?.[repository];
    const uid = by?.secret?.metadata?.uid;
    const now =
      known === 'all' || !by || uid === undefined
        ? ('all' as const)
        : [
            ...(known ?? []).filter(([other]) => other !== uid),
            [uid, credentialHash(by)] as [string, string],
          ];
    return { ...state, pulled: { ...state.pulled, [id]: { ...state.pulled[id], [repository]: now } } };
  };
  const listed = (image: string): boolean => {
    const bare = image.split('@')[0]?.replace(/:[^:/]*$/, '') ?? '';
    return (configuration.preloadedImagesVerificationAllowlist ?? []).some((one) =>
      one.endsWith('/*') ? bare.startsWith(one.slice(0, -1)) : bare === one,
    );
  };
  return {
    /** Reports whether a pod may use a present image. */
    async mayUse(
      there: cri.Image,
      ask: { image: string; repository: string; credentials: () => readonly Credential[] },
    ): Promise<boolean> {
      if (policy === 'NeverVerify') return true;
      if (policy === 'NeverVerifyAllowlistedImages' && listed(ask.image)) return true;
      const all = await alone(read).catch(() => undefined);
      if (!all) return false;
      const names = [...there.repoTags, ...there.repoDigests].map((one) => {
        const name = readName(one);
        return typeof name === 'string' ? one : fullName(name);
      });
      const ours = all.pulled[there.id] !== undefined || names.some((name) => all.doubts[name]);
      if (policy === 'NeverVerifyPreloadedImages' && !ours) return true;
      const known = all.pulled[there.id]?.[ask.repository];
      if (known === 'all') return true;
      const proof = ask
        .credentials()
        .find((one) =>
          known?.some(
            ([uid, hash]) =>
              one.secret !== undefined && (uid === one.secret.metadata?.uid || hash === credentialHash(one)),
          ),
        );
      if (!proof) return false;
      await alone(async () => write(add(await read(), there.id, ask.repository, proof))).catch(() => {});
      return true;
    },
    /** Records the start of a pull. The returned function records its result. */
    async begin(name: string) {
      let wasInDoubt = false;
      await alone(async () => {
        const all = await read();
        wasInDoubt = all.doubts[name] !== undefined && all.doubts[name] >= 1_000;
        await write(withDoubt(all, name, 1));
      });
      return async (
        end: 'failed' | 'unknown' | { id: string; repository: string; by?: Credential | undefined },
      ) => {
        await alone(async () => {
          const all = await read();
          if (end === 'unknown') return await write(withDoubt(all, name, 1_000));
          if (end === 'failed') return await write(withDoubt(all, name, -1));
          const none = wasInDoubt ? -1_000_000 : -1;
          return await write(withDoubt(add(all, end.id, end.repository, end.by), name, none));
        }).catch(() => {});
      };
    },
    /** Removes the data of removed images. */
    forget: (ids: readonly string[]) =>
      alone(async () => {
        const { pulled, doubts } = await read();
        const left = Object.entries(pulled).filter(([id]) => !ids.includes(id));
        if (ids.length > 0) await write({ pulled: Object.fromEntries(left), doubts });
      }).catch(() => {}),
  };
}

/** Garbage collection, based on two tables of times. */
function collectorOf(options: ImageManagerOptions, state: ReturnType<typeof stateOf>) {
  const { clock, images, runtime, recorder, node: name, configuration = {} } = options;
  const { imageGCHighThresholdPercent: high = 85, imageGCLowThresholdPercent: low = 80 } = configuration;
  const seenMs = new Map<string, number>();
  const usedMs = new Map<string, number>();
  async function look(): Promise<readonly cri.Image[]> {
    const nowMs = clock.now();
    const [there, containers] = await Promise.all([images.listImages(), runtime.listContainers()]);
    const used = new Set(containers.map(({ imageId }) => imageId));
    for (const id of seenMs.keys()) if (!there.some((image) => image.id === id)) seenMs.delete(id);
    for (const { id } of there) if (!seenMs.has(id)) seenMs.set(id, nowMs);
    for (const id of used) usedMs.set(id, nowMs);
    const age = (id: string) => nowMs - (seenMs.get(id) ?? nowMs);
    return there
      .filter(({ id, pinned }) => !pinned && !used.has(id))
      .filter(({ id }) => age(id) >= (configuration.imageMinimumGCAgeMs ?? 120_000))
      .sort((a, b) => (usedMs.get(a.id) ?? 0) - (usedMs.get(b.id) ?? 0) || age(b.id) - age(a.id));
  }
  async function remove(candidates: readonly cri.Image[], bytes: number): Promise<number> {
    let freed = 0;
    const [gone, failed] = [[] as string[], [] as string[]];
    for (const { id, sizeBytes } of candidates) {
      if (freed >= bytes) break;
      await images.removeImage({ image: id }).then(
        () => {
          freed += sizeBytes;
          gone.push(id);
        },
        (error: unknown) => failed.push(errorText(error)),
      );
    }
    for (const id of gone) {
      seenMs.delete(id);
      usedMs.delete(id);
    }
    await state.forget(gone);
    if (failed.length === 0) return freed;
    throw new Error(
      `wanted to free ${bytes} bytes, but freed ${freed} bytes space with errors in image deletion: ${failed.join(', ')}`,
    );
  }
  const warn = (reason: string, message: string): never => {
    recorder.event({ apiVersion: 'v1', kind: 'Node', name, uid: name }, 'Warning', reason, message);
    throw new Error(message);
  };
  return {
    async garbageCollect(): Promise<void> {
      const candidates = await look();
      const { capacityBytes, availableBytes } = await images.imageFsInfo();
      if (capacityBytes === 0) warn('InvalidDiskCapacity', 'invalid capacity 0 on image filesystem');
      const usagePercent = 100 - Math.floor((availableBytes * 100) / capacityBytes);
      if (usagePercent < high) return;
      const bytes = Math.floor((capacityBytes * (100 - low)) / 100) - availableBytes;
      if (bytes <= 0) return;
      const freedBytes = await remove(candidates, bytes);
      if (freedBytes < bytes) {
        warn('FreeDiskSpaceFailed', freeDiskSpaceFailed({ usagePercent, capacityBytes, freedBytes }));
      }
    },
    async deleteUnusedImages(): Promise<void> {
      await remove(await look(), Number.POSITIVE_INFINITY);
    },
  };
}
