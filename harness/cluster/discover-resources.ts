import { defineResource } from '../api/define-resource.ts';
import { customResourceDefinitions } from '../api/plain-resources.ts';
import { type Resource, resources } from '../api/resource.ts';
import { compareVersions } from '../apiserver/custom/custom-resources.ts';
import type { Client } from '../contracts/client.ts';

/**
 * Returns the resources that a server serves: the built-in ones and the custom ones.
 *
 * Differs: a {@link Client} has no verb for discovery, so this reads the CustomResourceDefinitions, which contain the
 * same.
 *
 * @throws StatusError, ConnectionError
 */
export async function discoverResources(client: Client, signal: AbortSignal): Promise<readonly Resource[]> {
  return [...resources, ...(await discoverCustomResources(client, signal))];
}

/** Returns the custom resources, each in its newest and most stable served version. */
export async function discoverCustomResources(
  client: Client,
  signal: AbortSignal,
): Promise<readonly Resource[]> {
  const { items } = await client.list(customResourceDefinitions, { signal });
  return items.flatMap(({ spec, status: { conditions, acceptedNames } }) => {
    const { kind, plural } = acceptedNames ?? spec.names;
    const isServed = conditions?.some(({ type, status }) => type === 'Established' && status === 'True');
    const [version] = spec.versions
      .filter(({ served }) => served)
      .map(({ name }) => name)
      .sort(compareVersions);
    if (!isServed || version === undefined) return [];
    return [
      defineResource(`${spec.group}/${version}`, kind, plural, { namespaced: spec.scope === 'Namespaced' }),
    ];
  });
}
