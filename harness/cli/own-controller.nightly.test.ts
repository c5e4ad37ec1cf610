import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectlVersion, type Output, shell } from '../kubectl/kubectl.ts';
import { applyEdits, type Mistake } from '../testing/mistakes.ts';
import { root } from '../workbook/sources.ts';
import { Typed } from './typed.fixture.ts';

const version = kubectlVersion();

const KATA = 'katas/24-deployment';
const STUB = `${KATA}/deployment.ts`;

/** A workbook whose learner has written the Deployment controller, correctly or not, and a cluster that runs it. */
class Learner implements AsyncDisposable {
  readonly #home: string;
  #cluster: Typed | undefined;

  private constructor(home: string) {
    this.#home = home;
  }

  static async begins(): Promise<Learner> {
    const home = await mkdtemp(path.join(tmpdir(), 'learner-'));
    const copied = ['package.json', 'tsconfig.json', 'docs', 'harness', 'katas', 'solutions'];
    for (const name of copied) await cp(path.join(root, name), path.join(home, name), { recursive: true });
    await symlink(path.join(root, 'node_modules'), path.join(home, 'node_modules'));
    return new Learner(home);
  }

  /** Saves the stub in one step, as many editors do: `writeFile` empties a file first, so that the cluster could reload it twice. */
  async saves(text: string): Promise<void> {
    const draft = path.join(this.#home, `${KATA}/draft`);
    await writeFile(draft, text);
    await rename(draft, path.join(this.#home, STUB));
  }

  /** Saves the reference as the learner's code, unchanged or with one of its mistakes. */
  async savesReference(mistake?: string): Promise<void> {
    const files = new Map<string, string>();
    for (const name of await readdir(path.join(root, 'solutions/24-deployment'))) {
      if (!/^[^.]+\.ts$/.test(name) || ['mistakes.ts', 'variants.ts'].includes(name)) continue;
      files.set(name, await readFile(path.join(root, 'solutions/24-deployment', name), 'utf8'));
    }
    // Each mistake gets its own folder beside the stub, because Node loads an imported module only once.
    const folder = mistake ?? 'right';
    const change = mistake === undefined ? undefined : await mistakeCalled(mistake);
    await cp(path.join(root, 'solutions/24-deployment'), path.join(this.#home, KATA, folder), {
      recursive: true,
    });
    for (const [name, text] of change ? applyEdits(files, change) : []) {
      await writeFile(path.join(this.#home, KATA, folder, name), text);
    }
    await this.saves(`export * from './${folder}/deployment.ts';\n`);
  }

  /** Types `npm run cluster -- --mine`. */
  async runsCluster(): Promise<Typed> {
    const words = ['--mine', '--trace', '--speed', '20', '--kubeconfig', 'kubeconfig'];
    const cluster = new Typed({ root: this.#home, cwd: this.#home }, 'cluster', ...words);
    this.#cluster = cluster;
    await cluster.says('KUBECONFIG=');
    return cluster;
  }

  kubectl(words: string): Promise<Output> {
    const env = { HOME: this.#home, KUBECONFIG: path.join(this.#home, 'kubeconfig') };
    return shell(`kubectl ${words}`, { cwd: this.#home, env });
  }

  /** Runs a kubectl command that must succeed. @throws Error with kubectl's output when it fails */
  async changes(words: string): Promise<void> {
    const { code, err } = await this.kubectl(words);
    if (code !== 0) throw new Error(`kubectl ${words} failed: ${err}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster?.stop();
    await rm(this.#home, { recursive: true });
  }
}

async function mistakeCalled(id: string): Promise<Mistake> {
  const file = path.join(root, 'solutions/24-deployment/mistakes.ts');
  const { mistakes } = (await import(file)) as { readonly mistakes: readonly Mistake[] };
  const found = mistakes.find((each) => each.id === id);
  if (!found) throw new Error(`There is no mistake ${id}.`);
  return found;
}

/** Fails with a TypeError, because a Deployment can lack labels. */
const SLIP = `import { assembleDeploymentController, type DeploymentSyncContext } from '#given/24-deployment';

async function syncDeployment({ caches }: DeploymentSyncContext, key: string): Promise<void> {
  const labels = caches.deployment(key)?.metadata.labels as Record<string, string>;
  if (labels['paused'] === 'yes') return;
}

export const deploymentController = assembleDeploymentController({ syncDeployment });
`;

describe.skipIf(version === undefined)(
  `npm run cluster -- --mine, watched by kubectl (${version ?? 'skipped: there is none on the PATH'})`,
  () => {
    let learner: Learner;
    let cluster: Typed;
    beforeAll(async () => {
      learner = await Learner.begins();
      await learner.saves(SLIP);
      cluster = await learner.runsCluster();
    });
    afterAll(() => learner[Symbol.asyncDispose]());

    /** Runs `kubectl rollout status` on `web` until the roll-out ends or the timeout expires. */
    const rollout = (timeout: string) =>
      learner.kubectl(`rollout status deployment/web --timeout=${timeout}`);
    /** The result when the timeout expires. The roll-out hangs for good, so a short timeout is enough. */
    const hangs = { code: 1, err: 'error: timed out waiting for the condition\n' };
    const loaded = (text: string): number => text.split('was saved and reloaded').length - 1;
    /** Saves, and waits until the cluster has loaded it. */
    const saved = async (save: Promise<void>): Promise<void> => {
      const before = loaded(cluster.out);
      await save;
      while (loaded(cluster.out) === before) await cluster.printsMore();
    };

    test("lists the learner's components", () => {
      expect(cluster.out).toContain('Your components: deploymentController.');
    });

    test('reports the error of the controller and its line while the roll-out hangs', async () => {
      await learner.changes('create deployment web --image=nginx:1.25 --replicas=3');
      await learner.changes('label deployment web app-');
      await cluster.complains('The deployment-controller failed and keeps running: TypeError: ');
      expect(await rollout('2s')).toMatchObject(hangs);
      expect(cluster.err).toMatch(/ at .*syncDeployment \(katas\/24-deployment\/deployment\.ts:5:\d+\)\n/);
      expect(cluster.err).not.toContain('harness/');
    });

    test('loads a saved file, and completes the roll-out', async () => {
      await saved(learner.savesReference());
      expect(cluster.out).toContain(`${STUB} was saved and reloaded. The deployment-controller restarts.`);
      const { code, out } = await rollout('60s');
      expect({ code, out }).toMatchObject({
        code: 0,
        out: expect.stringContaining('successfully rolled out'),
      });
      const events = await learner.kubectl('get events --field-selector=involvedObject.name=web');
      expect(events.out).toMatch(
        /ScalingReplicaSet +deployment\/web +Scaled up replica set web-\w+ from 0 to 3/,
      );
      await cluster.says('deployment-controller');
    });

    test('keeps the previous version running if the saved file cannot be loaded', async () => {
      await learner.saves('export const deploymentController = (;\n');
      await cluster.complains(`Failed to load ${STUB}:1:`);
      await cluster.complains('The version from before keeps running.');
      await learner.changes('scale deployment web --replicas=2');
      expect(await rollout('60s')).toMatchObject({ code: 0 });
    });

    test('shows a status with the wrong generation: kubectl waits until the right one is observed', async () => {
      await saved(learner.savesReference('status-of-the-wrong-generation'));
      await learner.changes('set image deployment/web nginx=nginx:1.27');
      const { out, ...ended } = await rollout('2s');
      expect(ended).toEqual(hangs);
      // It writes once, and again after each change that leaves the wrong generation in the status.
      expect(out).toMatch(/^(Waiting for deployment spec update to be observed\.\.\.\n)+$/);
    });

    test('reports a controller that writes the same object again and again', async () => {
      await saved(learner.savesReference());
      expect(await rollout('60s')).toMatchObject({ code: 0 });
      await saved(learner.savesReference('paused-goes-on'));
      await learner.changes('rollout pause deployment/web');
      await cluster.complains('The deployment-controller writes deployments/default/web again and again: ');
    });

    test('shows a controller that misses the progress deadline: kubectl reports no failure', async () => {
      await saved(learner.savesReference());
      const spec = '{"spec":{"paused":false,"progressDeadlineSeconds":10}}';
      await learner.changes(`patch deployment web -p '${spec}'`);
      expect(await rollout('60s')).toMatchObject({ code: 0 });
      await saved(learner.savesReference('deadline-never-fires'));
      await learner.changes('set image deployment/web nginx=nginx:typo');
      // Two seconds here are forty in the cluster.
      expect(await rollout('2s')).toMatchObject(hangs);
      await saved(learner.savesReference());
      expect(await rollout('60s')).toMatchObject({
        code: 1,
        err: 'error: deployment "web" exceeded its progress deadline\n',
      });
    });

    test('ends with Ctrl-C, without a complaint', async () => {
      expect(await cluster.stop()).toBe(0);
    });
  },
);
