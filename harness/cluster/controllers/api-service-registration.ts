import type { APIServiceSpec } from '#api/apiregistration/v1';
import type { APIService, CustomResourceDefinition } from '../../api/objects.ts';
import { apiServices, customResourceDefinitions } from '../../api/plain-resources.ts';
import { groupVersion, resources } from '../../api/resource.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../../api/status.ts';
import type { Component } from '../../contracts/component.ts';
import { lastKnown } from '../../contracts/last-known.ts';

const WORKERS = 5;

/** The label of an APIService that this controller manages: `onstart` for a built-in group, `true` for a custom one. */
const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/**
 * Keeps an APIService for each version of a group that the apiserver serves itself. It creates those of built-in groups
 * once, and follows the definitions of custom resources.
 *
 * Upstream: kubernetes/kube-aggregator@v0.36.3 pkg/controllers/autoregister/autoregister_controller.go
 * autoRegisterController, kubernetes/kubernetes@v1.36.3 pkg/controlplane/controller/crdregistration/crdregistration_controller.go
 * crdRegistrationController
 */
export const apiServiceRegistrationController: Component = async (context) => {
  const { client, informers, signal } = context;
  const known = informers.forResource(apiServices);
  const definitions = informers.forResource(customResourceDefinitions);
  const queue = context.newWorkQueue<string>();
  const enqueue = ({ metadata }: APIService): void => queue.add(metadata.name);
  const enqueueVersions = ({ spec }: CustomResourceDefinition): void => {
    for (const { name } of spec.versions) queue.add(`${name}.${spec.group}`);
  };
  known.addEventHandler({
    onAdd: enqueue,
    onUpdate: (_old, service) => enqueue(service),
    onDelete: (last) => enqueue(lastKnown(last)),
  });
  definitions.addEventHandler({
    onAdd: enqueueVersions,
    onUpdate: (old, definition) => {
      enqueueVersions(old);
      enqueueVersions(definition);
    },
    onDelete: (last) => enqueueVersions(lastKnown(last)),
  });
  informers.start();
  await informers.waitForCacheSync();
  const atStart = new Set(known.indexer.list().map(({ metadata }) => metadata.name));
  /** The names that were synced once. */
  const synced = new Set<string>();
  for (const name of BUILT_IN.keys()) queue.add(name);

  const sync = async (name: string): Promise<void> => {
    const builtIn = BUILT_IN.get(name);
    const spec = builtIn ?? customSpec(name, definitions.indexer.list());
    const current = known.indexer.getByKey(name);
    if (builtIn && synced.has(name)) return;
    if (!current) {
      if (!spec) return;
      const labels = { [MANAGED]: builtIn ? 'onstart' : 'true' };
      await client.create(apiServices, { metadata: { name, labels }, spec }, { signal });
      return;
    }
    const managed = current.metadata.labels?.[MANAGED];
    if (managed !== 'true' && managed !== 'onstart') return;
    if (managed === 'onstart' && (!atStart.has(name) || synced.has(name))) return;
    if (!spec) {
      const preconditions = { uid: current.metadata.uid };
      await client.delete(apiServices, { name }, { preconditions, signal });
      return;
    }
    if (!semanticEqual(current.spec, spec))
      await client.update(apiServices, { ...current, spec }, { signal });
  };
  await context.runWorkers({
    queue,
    workers: WORKERS,
    sync: async (name) => {
      // If another writer was faster, its write leads to another sync.
      await sync(name).catch((error: unknown) => {
        if (!isAlreadyExists(error) && !isConflict(error) && !isNotFound(error)) throw error;
      });
      synced.add(name);
    },
  });
};

/** Returns the spec for a version of a custom group; undefined if no definition serves it. */
function customSpec(
  name: string,
  definitions: readonly CustomResourceDefinition[],
): APIServiceSpec | undefined {
  const dot = name.indexOf('.');
  const [version, group] = [name.slice(0, dot), name.slice(dot + 1)];
  const isServed = definitions.some(
    ({ spec }) => spec.group === group && spec.versions.some((each) => each.name === version && each.served),
  );
  return isServed ? { group, version, groupPriorityMinimum: 1000, versionPriority: 100 } : undefined;
}

/**
 * The priority of each built-in group, and of its versions if it is not the usual one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-apiserver/app/aggregator.go apiVersionPriorities,
 * pkg/controlplane/apiserver/aggregator.go DefaultGenericAPIServicePriorities
 */
const PRIORITIES: Readonly<Record<string, readonly [group: number, version: number]>> = {
  v1: [18_000, 1],
  'apps/v1': [17_800, 15],
  'events.k8s.io/v1': [17_750, 15],
  'authentication.k8s.io/v1': [17_700, 15],
  'authorization.k8s.io/v1': [17_600, 15],
  'autoscaling/v1': [17_500, 15],
  'autoscaling/v2': [17_500, 30],
  'batch/v1': [17_400, 15],
  'certificates.k8s.io/v1': [17_300, 15],
  'networking.k8s.io/v1': [17_200, 15],
  'policy/v1': [17_100, 15],
  'rbac.authorization.k8s.io/v1': [17_000, 15],
  'storage.k8s.io/v1': [16_800, 15],
  'admissionregistration.k8s.io/v1': [16_700, 15],
  'apiextensions.k8s.io/v1': [16_700, 15],
  'scheduling.k8s.io/v1': [16_600, 15],
  'coordination.k8s.io/v1': [16_500, 15],
  'node.k8s.io/v1': [16_300, 15],
  'discovery.k8s.io/v1': [16_200, 15],
};

/** The spec of each built-in APIService by name. The group of APIServices itself has none. */
const BUILT_IN: ReadonlyMap<string, APIServiceSpec> = new Map(
  resources.flatMap(({ group, version }) => {
    const [groupPriorityMinimum, versionPriority] = PRIORITIES[groupVersion({ group, version })] ?? [];
    if (groupPriorityMinimum === undefined || versionPriority === undefined) return [];
    const spec = { ...(group && { group }), version, groupPriorityMinimum, versionPriority };
    return [[`${version}.${group}`, spec] as const];
  }),
);
