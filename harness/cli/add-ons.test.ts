import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { groupVersion, namespaces } from '../api/resource.ts';
import { ApiServer } from '../apiserver/apiserver.ts';
import { createHandler } from '../apiserver/handler/handler.ts';
import { Simulation, seededRandom } from '../sim/index.ts';
import { type ManifestObject, readManifest } from './manifest.ts';

const read = (name: string): readonly ManifestObject[] => {
  const file = new URL(`add-ons/${name}.yaml`, import.meta.url);
  return readManifest(readFileSync(file), name);
};

const pathOf = ({ resource, key }: ManifestObject): string => {
  const place = resource.namespaced ? `/namespaces/${key.namespace}` : '';
  return `/${resource.group ? 'apis' : 'api'}/${groupVersion(resource)}${place}/${resource.plural}`;
};

/** Starts an apiserver with the namespace `kube-system`, and returns a function that sends requests. */
async function served() {
  const server = new ApiServer({ clock: new Simulation().clock, random: seededRandom(1) });
  await server.create(namespaces, { metadata: { name: 'kube-system' }, spec: {} });
  const handler = createHandler(server);
  return async (method: string, path: string, body: object | undefined, type: string) => {
    const response = await handler(
      new Request(`http://apiserver${path}`, {
        method,
        headers: { 'Content-Type': type },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    return { code: response.status, object: (await response.json()) as { readonly metadata?: object } };
  };
}

test.each([
  ['certificates', 4],
  ['policies', 5],
  ['ingress', 5],
  ['metrics', 5],
])('every object of the add-on %s can be created strictly, and applied twice', async (name, count) => {
  const send = await served();
  const objects = read(name);
  expect(objects).toHaveLength(count);
  for (const each of objects) {
    const path = pathOf(each);
    const { name } = each.key;
    const created = await send('POST', `${path}?fieldValidation=Strict`, each.object, 'application/json');
    expect([name, created.code, created.object], name).toEqual([name, 201, expect.anything()]);
    const apply = () =>
      send(
        'PATCH',
        `${path}/${name}?fieldManager=kubectl&force=true`,
        each.object,
        'application/apply-patch+yaml',
      );
    const first = await apply();
    expect([name, first.code]).toEqual([name, 200]);
    expect((await apply()).object.metadata).toEqual(first.object.metadata);
    const read = await send('GET', `${path}/${name}`, undefined, 'application/json');
    expect(read.object).toMatchObject({ kind: each.object.kind, metadata: { name } });
  }
});
