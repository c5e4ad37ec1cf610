import { type Client, type core, nodes, type Pod, parseQuantity } from '#harness';
import type { FileProjection } from './atomic-writer.ts';

/** Dependencies of a downward API volume, besides the pod. */
interface DownwardOptions {
  readonly client: Pick<Client, 'get'>;
  readonly node: string;
  readonly defaultMode: number;
}

/**
 * Returns the files of a downward API volume.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/volume/downwardapi/downwardapi.go CollectData
 */
export async function downwardFiles(
  items: readonly core.DownwardAPIVolumeFile[],
  pod: Pod,
  options: DownwardOptions,
): Promise<Map<string, FileProjection>> {
  const payload = new Map<string, FileProjection>();
  for (const { path, fieldRef, resourceFieldRef, mode = options.defaultMode } of items) {
    const data = fieldRef
      ? fieldOf(pod, fieldRef.fieldPath)
      : resourceFieldRef
        ? await resourceOf(pod, resourceFieldRef, options)
        : '';
    payload.set(path, { data, mode });
  }
  return payload;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/fieldpath/fieldpath.go ExtractFieldPathAsString */
function fieldOf({ metadata }: Pod, path: string): string {
  const [, map, key = ''] = /^metadata\.(annotations|labels)\['(.*)'\]$/.exec(path) ?? [];
  if (map === 'annotations' || map === 'labels') {
    // `constructor` is a valid key, and a property that every object inherits.
    return new Map(Object.entries(metadata[map] ?? {})).get(key) ?? '';
  }
  switch (path) {
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid;
    default:
      throw new Error(`unsupported fieldPath: ${path}`);
  }
}

/** Formats a map, sorted, with a line such as `app="web"` for each entry. */
function formatMap(map: Readonly<Record<string, string>> = {}): string {
  return Object.entries(map)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort()
    .join('\n');
}

/**
 * Returns a container's request or limit, in units of the divisor, rounded up. Without a limit, the node's allocatable
 * amount counts.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/resource/helpers.go
 * ExtractResourceValueByContainerNameAndNodeAllocatable
 */
async function resourceOf(
  pod: Pod,
  { containerName, resource, divisor = '0' }: core.ResourceFieldSelector,
  { client, node }: DownwardOptions,
): Promise<string> {
  const { containers, initContainers = [] } = pod.spec;
  const container = [...containers, ...initContainers].find(({ name }) => name === containerName);
  if (!container) throw new Error(`container ${containerName} not found`);
  const [kind = '', name = ''] = resource.split(/\.(.*)/);
  if (kind !== 'limits' && kind !== 'requests')
    throw new Error(`unsupported container resource: ${resource}`);
  let amount = container.resources?.[kind]?.[name];
  if (amount === undefined && kind === 'limits') {
    amount = (await client.get(nodes, { name: node })).status.allocatable?.[name];
  }
  const unit = parseQuantity(divisor).nanos || NANOS_PER_UNIT;
  return String((parseQuantity(amount ?? '0').nanos + unit - 1n) / unit);
}

const NANOS_PER_UNIT = 10n ** 9n;
