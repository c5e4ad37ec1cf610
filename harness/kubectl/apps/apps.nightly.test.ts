import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registriesFor } from '../../cli/images.ts';
import { firstMissingEffects } from '../../cli/inert-kinds.ts';
import type { Components } from '../../contracts/component.ts';
import { openPrograms, type Programs } from '../hostile/programs.fixture.ts';
import { kubectlVersion, type Output } from '../kubectl.ts';
import { inLanes } from '../lanes.ts';
import { type App, apps } from './apps.ts';
import { type Outcome, outcomeOf, textOf } from './outcome.ts';

const { components } = (await import('#components')) as { readonly components: Components };

/** kubectl and the apiserver wait for each other, so several files in parallel use both cores. */
const LANES = 3;

/** The longest wait for the objects of a file, in virtual ms. If a warning explains the wait, it is shorter. */
const WAIT_MS = 240_000;
const EXPLAINED_MS = 60_000;

/** The words of a kubectl that has not found the kind of a custom resource: its definition is in the same file. */
const TOO_EARLY = 'ensure CRDs are installed first';

interface Course {
  readonly applied: Output;
  readonly outcome: Outcome;
  readonly deleted: Output;
}

/** Applies a file, waits for its objects, and deletes them. */
async function carriedOut({ run, cluster }: Programs, app: App): Promise<Course> {
  const { namespace } = app;
  const words = app.ownNamespaces ? `-f ${app.file}` : `-n ${namespace} -f ${app.file}`;
  if (!app.ownNamespaces) expect((await run(`kubectl create namespace ${namespace}`)).code).toBe(0);
  const apply = () => run(`kubectl apply ${words}`);
  const first = await apply();
  // The instructions of such files say: apply it twice.
  const applied = first.err.includes(TOO_EARLY) ? await apply() : first;
  const said = applied === first ? first.err : first.err + applied.err;
  const warnings = [...said.matchAll(/^Warning: (.*) \(docs\/limits\.md\)$/gm)].map(
    ([, warning = '']) => warning,
  );
  const look = (): Outcome => outcomeOf(app, cluster.storage, warnings);
  const endMs = cluster.clock.now() + (warnings.length > 0 ? EXPLAINED_MS : WAIT_MS);
  do await cluster.clock.sleep(5_000);
  while (look().unfinished.length > 0 && cluster.clock.now() < endMs);
  const outcome = look();
  const deleted = await run(`kubectl delete --ignore-not-found ${words}`);
  if (!app.ownNamespaces) await run(`kubectl delete namespace ${namespace} --wait=false`);
  return { applied, outcome, deleted };
}

const version = kubectlVersion();

describe.skipIf(version === undefined)('A real kubectl applies an application', () => {
  let programs: Programs;
  const courses = new Map<string, Promise<Course>>();
  beforeAll(async () => {
    // Each user reads the warnings of a new cluster.
    const firsts = new Map<string, ReturnType<typeof firstMissingEffects>>();
    programs = await openPrograms(components, {
      nodes: 3,
      speed: 20,
      registry: registriesFor({ anyImage: true, tell: () => {} }),
      warningAbout: (object) => {
        const { namespace = '' } = object.metadata;
        const first = firsts.get(namespace) ?? firstMissingEffects();
        firsts.set(namespace, first);
        return first(object);
      },
    });
    const begun = inLanes(LANES, apps, (app) => carriedOut(programs, app));
    for (const [index, { name }] of apps.entries()) courses.set(name, begun[index] as Promise<Course>);
    await Promise.allSettled(begun);
  });
  afterAll(() => programs[Symbol.asyncDispose]());

  test.each(apps)('$name', async ({ name, objects }) => {
    const { applied, outcome, deleted } = await (courses.get(name) as Promise<Course>);
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.out.trim().split('\n')).toHaveLength(objects.length);
    if (outcome.warnings.length === 0) expect(outcome.unfinished).toEqual([]);
    expect(deleted).toMatchObject({ code: 0 });
  });

  test('The outcomes are those of the table', async () => {
    const all = await Promise.all(courses.values());
    await expect(textOf(all.map(({ outcome }) => outcome))).toMatchFileSnapshot(
      path.join(import.meta.dirname, 'outcomes.txt'),
    );
  });
});
