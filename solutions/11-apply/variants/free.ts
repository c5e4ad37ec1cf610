/**
 * An apply without the functions of the levels. It first computes the object that should be there, and then the patch
 * that leads from the live object to it: a field that is gone already needs no deletion.
 */
import {
  type Applied,
  type Apply,
  type ApplyContext,
  type ApplyOptions,
  applyErrorOf,
  equalJson,
  failures,
  type Json,
  type JsonList,
  type JsonObject,
  LAST_APPLIED,
  type ManagedFields,
  type MergeField,
  type MergeSchema,
  ownersOfLastApplied,
  PRUNED_KINDS,
  type Target,
  targetOf,
  unionOfFields,
  warnings,
} from '#given/11-apply';
import { hasReason, isConflict, isNotFound, type KubeObject, type New, type Patch } from '#harness';
import { annotated, isMap, lastOf, withoutNulls } from './free-text.ts';

type Fields = Record<string, Json>;

export const apply: Apply = async (context, documents, options) => {
  const run = new Run(context, options);
  const targets: Target[] = [];
  for (const document of documents) {
    const { source } = document;
    if ('error' in document) run.errors.push({ source, message: document.error });
    else
      for (const value of flat(document.value as Json))
        await run.trying(source, async () => targets.push(await run.locate(source, value)));
  }
  for (const target of targets) {
    await run.trying(target.source, async () =>
      run.applied.push(await run[options.serverSide ? 'onServer' : 'onClient'](target)),
    );
  }
  if (options.prune && run.errors.length === 0) await run.trying('', () => run.prune());
  const { applied, warned, errors } = run;
  return { applied, warnings: warned, errors };
};

function flat(value: Json): readonly Json[] {
  return value === null ? [] : opened([value]);
}

function opened(level: readonly Json[]): readonly Json[] {
  const isOpen = (each: Json): boolean => isMap(each) && Array.isArray(each.items);
  const inner = level.filter(isOpen).flatMap((each) => itemsOf(each as JsonObject));
  return [...level.filter((each) => !isOpen(each)), ...(inner.length > 0 ? opened(inner) : [])];
}

function itemsOf({ kind: list, apiVersion = '', items }: JsonObject): JsonList {
  const kind = String(list ?? '').replace(/List$/, '');
  return (items as JsonList).map((item) =>
    isMap(item) && !item.kind && !item.apiVersion ? { ...item, kind, apiVersion } : item,
  );
}

class Run {
  readonly applied: Applied[] = [];
  readonly warned: string[] = [];
  readonly errors: ReturnType<typeof applyErrorOf>[] = [];
  readonly #context: ApplyContext;
  readonly #options: ApplyOptions;

  constructor(context: ApplyContext, options: ApplyOptions) {
    this.#context = context;
    this.#options = options;
  }

  async trying(source: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.errors.push(applyErrorOf(source, error));
    }
  }

  locate(source: string, value: Json): Promise<Target> {
    return targetOf(
      this.#context,
      { source, value },
      this.#options,
      (manifest, { namespaced }, { name, required }) => {
        if (!namespaced) return manifest;
        const namespace = String(manifest.metadata.namespace || name);
        if (required && namespace !== name) throw failures.otherNamespace(namespace, name);
        return { ...manifest, metadata: { ...manifest.metadata, namespace } };
      },
    );
  }

  get #writing() {
    return {
      fieldManager: 'kubectl-client-side-apply',
      fieldValidation: 'Strict',
      ...(this.#options.dryRun && { dryRun: true }),
    } as const;
  }

  async onClient(target: Target): Promise<Applied> {
    const { mapping, key } = target;
    const { resource } = mapping;
    const { client, clock } = this.#context;
    const modified = annotated(target.manifest);
    const isClientDry = this.#options.dryRun === 'client';
    let live = await this.#find(target);
    if (!live) {
      const bare = withoutNulls(modified) as unknown as New<KubeObject>;
      const object = isClientDry ? (bare as KubeObject) : await client.create(resource, bare, this.#writing);
      return { resource, key, outcome: 'created', object };
    }
    if (live.metadata.annotations?.[LAST_APPLIED] === undefined) {
      this.warned.push(warnings.noLastApplied(resource, key.name));
    }
    let outcome: Applied['outcome'] = 'unchanged';
    for (let pauses = 0; ; pauses++) {
      const current = live as unknown as JsonObject;
      const goal = goalOf(lastOf(live), modified, current, mapping.mergeSchema);
      const body = stepsTo(goal, current, modified, mapping.mergeSchema);
      if (Object.keys(body).length === 0) break;
      outcome = 'configured';
      if (isClientDry) {
        live = goal as unknown as KubeObject;
        break;
      }
      const type = mapping.mergeSchema ? ('strategic' as const) : ('merge' as const);
      try {
        live = await client.patch(resource, key, { type, body }, this.#writing);
        break;
      } catch (error) {
        if (!isConflict(error) || pauses === 5) {
          const mayReplace =
            this.#options.force && !this.#options.dryRun && hasReason(error, 'Conflict', 'Invalid');
          if (!mayReplace) throw failures.patching(target, JSON.stringify(body), error);
          live = await this.#replace(target, modified, live);
          break;
        }
        outcome = 'unchanged';
      }
      if (pauses > 0) await clock.sleep(1_000);
      live = await client.get(resource, key);
    }
    if (live.metadata.deletionTimestamp) this.warned.push(warnings.deleting(key.name));
    return { resource, key, outcome, object: live };
  }

  #find({ mapping, key }: Target): Promise<KubeObject | undefined> {
    return this.#context.client
      .get(mapping.resource, key)
      .catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)));
  }

  async #replace(target: Target, modified: JsonObject, old: KubeObject): Promise<KubeObject> {
    const { client, clock } = this.#context;
    const { resource } = target.mapping;
    await client.delete(resource, target.key, { propagationPolicy: 'Background' });
    const { timeoutMs = 0 } = this.#options;
    const endMs = timeoutMs > 0 ? clock.now() + timeoutMs : Number.POSITIVE_INFINITY;
    while (await this.#find(target)) {
      if (clock.now() >= endMs) throw failures.deadline();
      await clock.sleep(Math.min(1_000, endMs - clock.now()));
    }
    const create = (object: unknown): Promise<KubeObject> =>
      client.create(resource, object as New<KubeObject>, this.#writing);
    try {
      return await create(withoutNulls(modified));
    } catch (error) {
      const { resourceVersion: _, ...metadata } = old.metadata;
      await create({ ...old, metadata }).catch((second: unknown) => {
        throw failures.notRestored(error, second);
      });
      throw error;
    }
  }

  async onServer(target: Target): Promise<Applied> {
    const { mapping, key, manifest } = target;
    const { client } = this.#context;
    const { dryRun, forceConflicts = false } = this.#options;
    const send = (patch: Patch, fieldManager: string, force?: boolean): Promise<KubeObject> =>
      client.patch(mapping.resource, key, patch, {
        ...this.#writing,
        fieldManager,
        ...(dryRun && { dryRun: true }),
        ...(force !== undefined && { force }),
      });
    const main = () => send({ type: 'apply', body: manifest }, 'kubectl', forceConflicts);
    let object = await main();
    try {
      const text = object.metadata.annotations?.[LAST_APPLIED];
      if (text !== undefined && ownersOfLastApplied(object, 'Apply').length === 0) {
        const { apiVersion, kind } = manifest;
        const body = { apiVersion, kind, metadata: { ...key, annotations: { [LAST_APPLIED]: text } } };
        object = await send({ type: 'apply', body }, 'kubectl-last-applied');
      }
      for (let tries = 1; ownersOfLastApplied(object, 'Update').length > 0; tries++) {
        const body = [
          { op: 'replace', path: '/metadata/managedFields', value: inherited(object) },
          { op: 'replace', path: '/metadata/resourceVersion', value: object.metadata.resourceVersion },
        ];
        try {
          await send({ type: 'json', body }, 'kubectl');
          object = await main();
          break;
        } catch (error) {
          if (!isConflict(error) || tries === 5) throw error;
          object = await client.get(mapping.resource, key);
        }
      }
    } catch (error) {
      this.warned.push(warnings.ownersNotMigrated(error));
    }
    return { resource: mapping.resource, key, outcome: 'serverside-applied', object };
  }

  async prune(): Promise<void> {
    const { client, mappingOf } = this.#context;
    const { prune, dryRun, namespace: flag } = this.#options;
    const kept = new Set(this.applied.map(({ object }) => object.metadata.uid));
    const namespaces = new Set(this.applied.flatMap(({ key }) => key.namespace ?? []));
    if (flag.required) namespaces.add(flag.name);
    const selected = Object.entries(prune?.selector ?? {});
    for (const [apiVersion, kind] of PRUNED_KINDS) {
      const resource = (await mappingOf(apiVersion, kind))?.resource;
      if (!resource) continue;
      const { items } = await client.list<KubeObject>(resource);
      for (const object of items) {
        const { namespace = '', name, uid, annotations = {}, labels: own = {} } = object.metadata;
        const isMine =
          LAST_APPLIED in annotations &&
          selected.every(([label, value]) => own[label] === value) &&
          !kept.has(uid);
        if (!isMine || (resource.namespaced && !namespaces.has(namespace))) continue;
        const key = resource.namespaced ? { namespace, name } : { name };
        if (dryRun !== 'client') await client.delete(resource, key, dryRun ? { dryRun: true } : {});
        this.applied.push({ resource, key, outcome: 'pruned', object });
      }
    }
  }
}

/** Returns the owners of an object's fields, without those of client-side applies. */
function inherited(object: KubeObject): readonly ManagedFields[] {
  const old = ownersOfLastApplied(object, 'Update').filter(({ subresource }) => !subresource);
  const owners = object.metadata.managedFields ?? [];
  // A manifest without a field owns nothing, so there is no entry yet.
  const heir =
    owners.find((each) => each.manager === 'kubectl' && each.operation === 'Apply' && !each.subresource) ??
    old[0];
  const fieldsV1 = [...old, heir].reduce<JsonObject>(
    (sum, entry) => unionOfFields(sum, (entry?.fieldsV1 ?? {}) as JsonObject),
    {},
  );
  return owners.flatMap((entry) => {
    if (entry === heir) return [{ ...entry, manager: 'kubectl', operation: 'Apply', fieldsV1 }];
    return old.includes(entry) ? [] : [entry];
  });
}

const has = (field: MergeField | undefined, word: string): boolean =>
  field?.patchStrategy?.split(',').includes(word) ?? false;

/** Returns the object that should be there: the live one, without removed fields, with those of the manifest. */
function goalOf(
  last: JsonObject,
  wanted: JsonObject,
  live: JsonObject,
  schema: MergeSchema | undefined,
): JsonObject {
  const goal: Fields = { ...live };
  for (const key of Object.keys(last)) if (!Object.hasOwn(wanted, key)) delete goal[key];
  for (const [key, value] of Object.entries(wanted)) {
    if (value === null) {
      if (schema || last[key] !== null) delete goal[key];
      continue;
    }
    goal[key] = goalOfField(last[key], value, live[key], schema?.[key], schema !== undefined);
  }
  return goal;
}

function goalOfField(
  last: Json | undefined,
  wanted: Json,
  live: Json | undefined,
  field: MergeField | undefined,
  isStrategic: boolean,
): Json {
  if (isMap(wanted)) {
    const inner = isStrategic ? (field?.schema ?? {}) : undefined;
    const goal = goalOf(isMap(last) ? last : {}, wanted, isMap(live) ? live : {}, inner);
    return has(field, 'retainKeys') ? only(goal, wanted) : goal;
  }
  if (!Array.isArray(wanted) || !field || !has(field, 'merge')) return wanted;
  const [mine, theirs] = [wanted as JsonList, (Array.isArray(live) ? live : []) as JsonList];
  const before = (Array.isArray(last) ? last : []) as JsonList;
  const name = nameBy(field);
  const find = (list: JsonList, item: Json): Json | undefined =>
    list.find((each) => name(each) === name(item));
  const others = theirs.filter((item) => find(mine, item) === undefined && find(before, item) === undefined);
  const own = mine.map((item) => {
    if (!isMap(item)) return item;
    const [old, now] = [find(before, item) ?? {}, find(theirs, item) ?? {}] as JsonObject[];
    const goal = goalOf(old ?? {}, item, now ?? {}, field.schema ?? {});
    return has(field, 'retainKeys') ? only(goal, item) : goal;
  });
  return [...own, ...others];
}

const only = (map: JsonObject, keys: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(map).filter(([key]) => key in keys));

const nameBy =
  ({ patchMergeKey }: MergeField) =>
  (item: Json): string =>
    String(patchMergeKey !== undefined && isMap(item) ? item[patchMergeKey] : item);

/** Returns the patch from the live object to the goal. */
function stepsTo(
  goal: JsonObject,
  live: JsonObject,
  wanted: JsonObject,
  schema: MergeSchema | undefined,
): JsonObject {
  const steps: Fields = {};
  for (const key of Object.keys(live)) if (!Object.hasOwn(goal, key)) steps[key] = null;
  for (const [key, value] of Object.entries(goal)) {
    const now = live[key];
    const field = schema?.[key];
    if (equalJson(value, now)) continue;
    if (isMap(value) && isMap(now)) {
      const inner = stepsTo(value, now, (wanted[key] ?? {}) as JsonObject, schema && (field?.schema ?? {}));
      if (Object.keys(inner).length > 0) steps[key] = inner;
    } else if (Array.isArray(value) && Array.isArray(now) && field && has(field, 'merge')) {
      listSteps(steps, key, field, [value as JsonList, now as JsonList, (wanted[key] ?? []) as JsonList]);
    } else steps[key] = value;
  }
  return steps;
}

function listSteps(
  steps: Fields,
  key: string,
  field: MergeField,
  [goal, live, wanted]: readonly [JsonList, JsonList, JsonList],
): void {
  const { patchMergeKey } = field;
  const name = nameBy(field);
  const [goals, lives] = [goal.map(name), live.map(name)];
  const gone = live.filter((item) => !goals.includes(name(item)));
  const changed = goal.flatMap((item) => {
    const now = live[lives.indexOf(name(item))];
    if (now === undefined) return [item];
    if (!isMap(item) || !isMap(now) || patchMergeKey === undefined) return [];
    const own = wanted.find((each) => name(each) === name(item)) as JsonObject | undefined;
    const inner = own ? stepsTo(item, now, own, field.schema ?? {}) : {};
    return Object.keys(inner).length > 0 ? [{ ...inner, [patchMergeKey]: item[patchMergeKey] as Json }] : [];
  });
  const mine = wanted.map(name);
  const isSorted = lives.filter((each) => mine.includes(each)).join('\n') === mine.join('\n');
  if (isSorted && gone.length === 0 && changed.length === 0) return;
  const deleted = gone.map((item) => ({
    $patch: 'delete',
    [patchMergeKey ?? '']: (item as JsonObject)[patchMergeKey ?? ''] as Json,
  }));
  const list = patchMergeKey === undefined ? changed : [...changed, ...deleted];
  if (list.length > 0) steps[key] = list;
  if (patchMergeKey === undefined && gone.length > 0) steps[`$deleteFromPrimitiveList/${key}`] = gone;
  steps[`$setElementOrder/${key}`] =
    patchMergeKey === undefined
      ? wanted
      : wanted.map((item) => ({ [patchMergeKey]: (item as JsonObject)[patchMergeKey] as Json }));
}
