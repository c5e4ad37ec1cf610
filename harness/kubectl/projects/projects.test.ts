import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { type Front, issue, openHandler } from '../../serving/hostile/front.fixture.ts';
import {
  FOLDER,
  type Manifested,
  objectsOf,
  patchedAgain,
  pathOf,
  projects,
  refusal,
  resourceOf,
} from './projects.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** The manifests of every run, with most kinds. `projects.nightly.test.ts` applies all, with a real kubectl. */
const chosen = [
  'admission-policies',
  'crossplane',
  'gatekeeper',
  'keda',
  'pod-security-tenants',
  'sealed-secrets',
];

const APPLY = { method: 'PATCH', contentType: 'application/apply-patch+yaml' } as const;

/**
 * Whether an object is a Namespace without fields. Then the first apply has no owner, although every Namespace gets a
 * label. The second apply makes `before-first-apply` its owner, and so stores the object again.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/managedfields/internal/stripmeta.go stripMetaManager.stripFields,
 * skipnonapplied.go skipNonAppliedManager.Apply
 */
const isBare = ({ kind, metadata }: Manifested): boolean =>
  kind === 'Namespace' && metadata.labels === undefined;

describe.each(chosen)('The manifest %s', (name) => {
  let front: Front;
  beforeAll(async () => {
    front = await openHandler(components);
  });
  afterAll(() => front[Symbol.asyncDispose]());
  const objects = objectsOf(name).map((object) => ({ object, resource: resourceOf(object) }));
  const applied = objects.map(({ object, resource }) => ({
    at: `${pathOf(object, resource, 'default')}?fieldManager=kubectl`,
    body: object,
  }));

  test('is refused to a user without rights, and nothing is stored', async () => {
    const { cluster, pki } = front;
    const pair = issue(pki.authority, cluster.clock.now(), { name: 'olga' });
    const { revision } = cluster.storage;
    const said: string[] = [];
    for (const { at, body } of applied) {
      const { code, message } = await front.send(at, { ...APPLY, pair, body });
      said.push(`${code} ${message}`);
    }
    const asked = { user: 'olga', verb: 'patch', namespace: 'default' };
    expect(said).toEqual(objects.map(({ object, resource }) => `403 ${refusal(object, resource, asked)}`));
    expect(cluster.storage.revision).toBe(revision);
  });

  test('is stored for the administrator, and a second apply changes nothing', async () => {
    const { admin, cluster } = front;
    const all = async (): Promise<readonly string[]> => {
      const said: string[] = [];
      for (const { at, body } of applied) {
        const { code, message } = await front.send(at, { ...APPLY, pair: admin, body });
        said.push(`${code} ${message}`);
      }
      return said;
    };
    expect(await all()).toEqual(applied.map(() => '201 '));
    await front.pass(5_000);
    const { revision } = cluster.storage;
    expect(await all()).toEqual(applied.map(() => '200 '));
    const written = cluster.storage.entriesSince(revision).map(({ object }) => object.metadata.name);
    expect(written).toEqual(
      objects.filter(({ object }) => isBare(object)).map(({ object }) => object.metadata.name),
    );
  });
});

test('Every object that kubectl patches again is in a manifest', () => {
  const all = projects.flatMap(({ name }) =>
    objectsOf(name).map(({ kind, metadata }) => `${name} ${kind} ${metadata.name}`),
  );
  expect(
    Object.values(patchedAgain)
      .flat()
      .filter((each) => !all.includes(each)),
  ).toEqual([]);
});

test('Every manifest is listed', () => {
  const files = readdirSync(FOLDER).map((file) => file.replace(/\.yaml$/, ''));
  expect(projects.map(({ name }) => name).sort()).toEqual(files.sort());
});
