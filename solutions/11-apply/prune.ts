import {
  type Applied,
  type ApplyContext,
  type ApplyOptions,
  failures,
  LAST_APPLIED,
  type Mapping,
  PRUNED_KINDS,
} from '#given/11-apply';
import type { KubeObject } from '#harness';

export async function prune(
  context: ApplyContext,
  applied: readonly Applied[],
  options: ApplyOptions,
  report: (pruned: Applied) => void,
): Promise<void> {
  const visited = new Set(applied.map(({ object }) => object.metadata.uid));
  const namespaces = new Set(applied.flatMap(({ key }) => key.namespace ?? []));
  if (options.namespace.required) namespaces.add(options.namespace.name);
  const mappings: Mapping[] = [];
  for (const [apiVersion, kind] of PRUNED_KINDS) {
    const mapping = await context.mappingOf(apiVersion, kind);
    if (mapping) mappings.push(mapping);
  }
  const places = [
    ...[...namespaces].flatMap((namespace) =>
      mappings.filter(({ resource }) => resource.namespaced).map((mapping) => ({ mapping, namespace })),
    ),
    ...mappings.filter(({ resource }) => !resource.namespaced).map((mapping) => ({ mapping })),
  ];
  for (const place of places) {
    try {
      await pruneIn(context, place, visited, options, report);
    } catch (error) {
      throw failures.pruning(place.mapping.resource, error);
    }
  }
}

async function pruneIn(
  { client }: ApplyContext,
  { mapping: { resource }, namespace }: { readonly mapping: Mapping; readonly namespace?: string },
  visited: ReadonlySet<string>,
  { prune: pruning, dryRun }: ApplyOptions,
  report: (pruned: Applied) => void,
): Promise<void> {
  const labelSelector = Object.entries(pruning?.selector ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
  const { items } = await client.list<KubeObject>(resource, {
    ...(namespace && { namespace }),
    labelSelector,
  });
  for (const object of items) {
    const { uid, name, annotations } = object.metadata;
    if (annotations?.[LAST_APPLIED] === undefined || visited.has(uid)) continue;
    const key = { ...(namespace && { namespace }), name };
    if (dryRun !== 'client') {
      await client.delete(resource, key, {
        propagationPolicy: 'Background',
        ...(dryRun === 'server' && { dryRun: true }),
      });
    }
    report({ resource, key, outcome: 'pruned', object });
  }
}
