import { defineResource } from '../api/define-resource.ts';
import type { CustomResourceDefinition } from '../api/objects.ts';
import { customResourceDefinitions } from '../api/plain-resources.ts';
import { type Resource, resources } from '../api/resource.ts';
import { compareVersions } from '../apiserver/custom/custom-resources.ts';
import type { Client } from '../contracts/client.ts';
import { GroupDiscoveryFailed } from '../contracts/discovery.ts';
import { messageOf } from '../kubelet/message-of.ts';

/** The group and version of the definitions of custom resources, which this discovery reads. */
const DEFINITIONS = 'apiextensions.k8s.io/v1';

/**
 * Returns the resources that a server serves: the built-in ones, and custom ones in the newest and most stable served
 * version.
 *
 * Differs: a {@link Client} has no verb for discovery, so this reads the CustomResourceDefinitions, which contain the
 * same.
 *
 * @throws GroupDiscoveryFailed when the definitions cannot be read: then it has found the built-in resources
 */
export async function discoverResources(client: Client, signal: AbortSignal): Promise<readonly Resource[]> {
  try {
    const { items } = await client.list(customResourceDefinitions, { signal });
    return [...resources, ...items.flatMap(servedBy)];
  } catch (error) {
    signal.throwIfAborted();
    throw new GroupDiscoveryFailed(resources, new Map([[DEFINITIONS, messageOf(error)]]));
  }
}

/** Returns the resource of a definition; none before the definition is established. */
function servedBy({
  spec,
  status: { conditions, acceptedNames },
}: CustomResourceDefinition): readonly Resource[] {
  const { kind, plural } = acceptedNames ?? spec.names;
  const isServed = conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
  const [version] = spec.versions
    .filter(({ served }) => served)
    .sort((a, b) => compareVersions(a.name, b.name));
  if (!isServed || version === undefined) return [];
  const subresources = (['status', 'scale'] as const).filter((each) => version.subresources?.[each]);
  const options = { namespaced: spec.scope === 'Namespaced', subresources };
  return [defineResource(`${spec.group}/${version.name}`, kind, plural, options)];
}
