import {
  type Applied,
  type ApplyOptions,
  failures,
  type Manifest,
  patchedLocally,
  type Target,
  type Write,
  warnings,
} from '#given/11-apply';
import { hasReason, isConflict, isNotFound, type KubeObject, type New } from '#harness';
import { encodeJson, withLastApplied } from './last-applied.ts';
import { planApply, withoutNulls } from './plan.ts';

export const MAX_RETRIES = 5;
export const PAUSE_MS = 1_000;

type Result = Pick<Applied, 'outcome' | 'object'>;

export async function applyOne(write: Write, target: Target, options: ApplyOptions): Promise<Applied> {
  const live = await read(write, target).catch(failing((error) => failures.reading(target, error)));
  const plan = planApply(target, live);
  for (const warning of plan.warnings) write.warn(warning);
  const result: Result =
    plan.action === 'create'
      ? { outcome: 'created', object: await create(write, target, plan.object, options) }
      : await patchWithRetries(write, target, live as KubeObject, options);
  if (live && result.object.metadata.deletionTimestamp) write.warn(warnings.deleting(target.key.name));
  return { resource: target.mapping.resource, key: target.key, ...result };
}

function failing(errorOf: (cause: unknown) => Error): (cause: unknown) => never {
  return (cause) => {
    throw errorOf(cause);
  };
}

async function read({ client }: Write, { mapping, key }: Target): Promise<KubeObject | undefined> {
  return client.get(mapping.resource, key).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

async function create(
  { client }: Write,
  target: Target,
  object: Manifest,
  options: ApplyOptions,
): Promise<KubeObject> {
  if (options.dryRun === 'client') return object as unknown as KubeObject;
  return client
    .create(target.mapping.resource, newObject(object), writeOptions(options))
    .catch(failing((error) => failures.creating(target, error)));
}

function newObject({ metadata, ...rest }: Manifest | KubeObject): New<KubeObject> {
  const { resourceVersion: _, ...others } = metadata;
  return { ...rest, metadata: others } as unknown as New<KubeObject>;
}

function writeOptions({ dryRun }: ApplyOptions) {
  return {
    fieldManager: 'kubectl-client-side-apply',
    fieldValidation: 'Strict' as const,
    ...(dryRun === 'server' && { dryRun: true }),
  };
}

export async function patchWithRetries(
  write: Write,
  target: Target,
  live: KubeObject,
  options: ApplyOptions,
): Promise<Result> {
  let current = live;
  for (let retries = 0; ; retries++) {
    const plan = planApply(target, current);
    if (plan.action !== 'patch') return { outcome: 'unchanged', object: current };
    const { mapping, key } = target;
    try {
      const patched =
        options.dryRun === 'client'
          ? patchedLocally(current, plan.patch, mapping)
          : await write.client.patch(mapping.resource, key, plan.patch, writeOptions(options));
      return { outcome: 'configured', object: patched };
    } catch (error) {
      if (!isConflict(error) || retries === MAX_RETRIES) {
        if (options.force && hasReason(error, 'Conflict', 'Invalid'))
          return { outcome: 'configured', object: await replace(write, target, current, options) };
        throw failures.applying(target, encodeJson(plan.patch.body), failures.patching(target, error));
      }
    }
    if (retries > 0) await write.clock.sleep(PAUSE_MS);
    current = await write.client
      .get(mapping.resource, key)
      .catch(failing((error) => failures.applying(target, '', error)));
  }
}

export async function replace(
  write: Write,
  target: Target,
  live: KubeObject,
  options: ApplyOptions,
): Promise<KubeObject> {
  const { client } = write;
  const { resource } = target.mapping;
  const modified = withLastApplied(target.manifest);
  try {
    await client.delete(resource, target.key, { propagationPolicy: 'Background' });
    await untilGone(write, target, options.timeoutMs);
    return await client
      .create(resource, newObject(withoutNulls(modified)), writeOptions(options))
      .catch(async (error: unknown) => {
        await client
          .create(resource, newObject(live), writeOptions(options))
          .catch(failing((second) => failures.notRestored(error, second)));
        throw error;
      });
  } catch (error) {
    throw failures.applying(target, encodeJson(modified), error);
  }
}

/** Differs: without a timeout, kubectl v1.36 does not wait at all, and loses the object. */
async function untilGone(write: Write, target: Target, timeoutMs = Number.POSITIVE_INFINITY): Promise<void> {
  const deadlineMs = write.clock.now() + timeoutMs;
  while (await read(write, target)) {
    if (write.clock.now() >= deadlineMs) throw failures.deadline();
    await write.clock.sleep(PAUSE_MS);
  }
}
