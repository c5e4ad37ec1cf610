import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/objects.ts';
import type { Components } from '../../contracts/component.ts';
import { issue } from '../../serving/hostile/front.fixture.ts';
import { openPrograms, type Programs } from '../hostile/programs.fixture.ts';
import { kubectlVersion, type Output } from '../kubectl.ts';
import { inLanes } from '../lanes.ts';
import { FOLDER, objectsOf, type Project, patchedAgain, projects, refusal, resourceOf } from './projects.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const DAY_MS = 86_400_000;
/** kubectl and the apiserver wait for each other, so several manifests in parallel use both cores. */
const LANES = 3;

const isPatchedAgain = (object: string): boolean => Object.values(patchedAgain).flat().includes(object);

/** The kinds that a user with the role `view` cannot read. */
const NOT_VIEWED = ['Role', 'RoleBinding', 'Rollout', 'Secret'];

/** The course of one manifest. */
interface Course {
  readonly namespace: string;
  /** An apply by a user without the rights, and the objects that exist after it and did not before. */
  readonly refused: Output;
  readonly leftBehind: readonly string[];
  readonly first: Output;
  readonly second: Output;
  /** The version of each object after the first apply. */
  readonly created: ReadonlyMap<string, unknown>;
  /** The same after the second apply. */
  readonly kept: ReadonlyMap<string, unknown>;
}

const keyOf = ({ kind, metadata: { name, namespace } }: KubeObject): string => `${kind} ${namespace}/${name}`;

/** Returns a value that changes whenever a user changes the object: controllers write status and aggregated rules. */
function versionOf(object: KubeObject): unknown {
  if ('aggregationRule' in object) return undefined;
  const { generation, resourceVersion } = object.metadata;
  return 'status' in object ? generation : resourceVersion;
}

const fileOf = (name: string): string => path.join(FOLDER, `${name}.yaml`);

/** Returns the arguments of a manifest. A user of one namespace selects it, because its manifest does not. */
const argumentsOf = ({ name, by }: Project): string =>
  by === 'namespace' ? `-n team-${name} -f ${fileOf(name)}` : `-f ${fileOf(name)}`;

/**
 * Applies a manifest as a user without the rights, and then twice as its user. The first is an administrator of another
 * namespace, or a viewer of the same.
 */
async function carriedOut(programs: Programs, project: Project): Promise<Course> {
  const { name, by, needs } = project;
  const namespace = `team-${name}`;
  const { admin, cluster, pki, run } = programs;
  const nowMs = cluster.clock.now();
  const userOf = (user: string) => issue(pki.authority, nowMs, { name: user, notAfterMs: nowMs + DAY_MS });
  const setup = [
    ...(needs === undefined ? [] : [`kubectl apply -f ${fileOf(needs)}`]),
    `kubectl create namespace ${namespace}`,
    `kubectl create rolebinding olga --clusterrole=admin --user=olga -n ${namespace}`,
    `kubectl create rolebinding vera --clusterrole=view --user=vera -n ${namespace}`,
    ...(needs === undefined ? [] : [`kubectl wait --for=condition=Established --timeout=60s crd -l '!none'`]),
  ];
  for (const command of setup) expect([command, await run(command)]).toMatchObject([command, { code: 0 }]);
  const apply = `kubectl apply ${argumentsOf(project)}`;
  const stored = async (): Promise<ReadonlyMap<string, unknown>> => {
    const { out } = await run(`kubectl get ${argumentsOf(project)} --ignore-not-found -o json`);
    const found =
      out === '' ? [] : (JSON.parse(out) as KubeObject | { readonly items: readonly KubeObject[] });
    const objects = 'items' in found ? found.items : [found].flat();
    return new Map(objects.map((object) => [keyOf(object), versionOf(object)]));
  };
  const before = await stored();
  const isOfCluster = by === 'cluster';
  const refused = await run(apply, userOf(isOfCluster ? 'olga' : 'vera'));
  const left = await stored();
  const user = isOfCluster ? admin : userOf('olga');
  const first = await run(apply, user);
  const created = await stored();
  const second = await run(apply, user);
  const kept = await stored();
  return {
    ...{ namespace, refused, first, second },
    leftBehind: [...left.keys()].filter((each) => !before.has(each)),
    created,
    kept,
  };
}

const version = kubectlVersion();

describe.skipIf(version === undefined)('A real kubectl applies a manifest', () => {
  let programs: Programs;
  const courses = new Map<string, Promise<Course>>();
  beforeAll(async () => {
    programs = await openPrograms(components);
    const begin = (chosen: readonly Project[]) => {
      const begun = inLanes(LANES, chosen, (project) => carriedOut(programs, project));
      for (const [index, { name }] of chosen.entries()) courses.set(name, begun[index] as Promise<Course>);
      return Promise.allSettled(begun);
    };
    await begin(projects.filter(({ by }) => by === 'namespace'));
    await begin(projects.filter(({ by }) => by === 'cluster'));
  });
  afterAll(() => programs[Symbol.asyncDispose]());

  describe.each(projects)('$name', ({ name, by, needs }) => {
    const course = () => courses.get(name) as Promise<Course>;

    test('is refused to a user without the rights, who stores nothing', async () => {
      const { refused, leftBehind, namespace } = await course();
      const lines = refused.err.split('\n');
      const user = by === 'cluster' ? 'olga' : 'vera';
      const expected = objectsOf(name).map((object) => {
        const verb = by === 'namespace' && !NOT_VIEWED.includes(object.kind) ? 'create' : 'get';
        return refusal(object, resourceOf(object, needs), { user, verb, namespace });
      });
      const isSaid = (message: string): boolean => lines.some((line) => line.endsWith(message));
      expect(
        expected.filter((message) => !isSaid(message)),
        refused.err,
      ).toEqual([]);
      expect(lines.filter((line) => line.startsWith('Error from server')).length).toBe(expected.length);
      expect(refused).toMatchObject({ code: 1, out: '' });
      expect(leftBehind).toEqual([]);
    });

    test('is stored for its user, and a second apply changes nothing', async () => {
      const { first, second, created, kept } = await course();
      expect(first).toMatchObject({ code: 0 });
      expect(second).toMatchObject({ code: 0, err: '' });
      const lines = second.out.trim().split('\n');
      const outcomes = lines.map((line) => line.replace(/^.*\//, ''));
      const expected = objectsOf(name).map(
        ({ kind, metadata: { name: its } }) =>
          `${its} ${isPatchedAgain(`${name} ${kind} ${its}`) ? 'configured' : 'unchanged'}`,
      );
      expect(outcomes).toEqual(expected);
      expect(created.size).toBe(objectsOf(name).length);
      expect(kept).toEqual(created);
    });
  });
});
