import { defineResource } from '../api/define-resource.ts';
import { customResourceDefinitions } from '../api/plain-resources.ts';
import { type Resource, resources } from '../api/resource.ts';
import { compareVersions } from '../apiserver/custom/custom-resources.ts';
import type { Client } from '../contracts/client.ts';

/**
 * The resources that a server serves: those that are built in, and the custom ones.
 *
 * Differs: discovery is no verb of a {@link Client}, so the definitions are read, which say the same.
 *
 * @throws StatusError, ConnectionError
 */
export async function discoverResources(client: Client, signal: AbortSignal): Promise<readonly Resource[]> {
  return [...resources, ...(await discoverCustomResources(client, signal))];
}

/** The custom resources, each in the newest and most stable of the versions that are served. */
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
