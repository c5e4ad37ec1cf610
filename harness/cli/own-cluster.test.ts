import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CoreWorkbook } from './core-workbook.fixture.ts';
import { RunHere } from './run-here.fixture.ts';

const workbook = new CoreWorkbook(['24-deployment']);
afterAll(() => workbook[Symbol.dispose]());

const STUB = 'katas/24-deployment/deployment.ts';
const file = path.join(workbook.root, STUB);
const right = readFileSync(file, 'utf8');

// `own-controller.nightly.test.ts` watches such a cluster with kubectl.
describe('npm run cluster -- --mine', () => {
  let cluster: RunHere;
  beforeAll(async () => {
    cluster = new RunHere(
      { root: workbook.root, cwd: workbook.root },
      ...['--mine', '--http', '--trace', '--speed', '20', '--kubeconfig', 'kubeconfig'],
    );
    await cluster.says('KUBECONFIG=');
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  /** Saves the stub, and waits until the cluster has reloaded it. */
  const saved = async (text: string): Promise<void> => {
    const reloads = (): number => cluster.out.split('was saved and reloaded').length;
    const before = reloads();
    writeFileSync(file, text);
    while (reloads() === before) await cluster.printsMore();
  };

  test("lists the learner's components", () => {
    expect(cluster.out).toContain(
      '\nYour components: deploymentController. Everything else is the reference implementation.\n',
    );
  });

  test('keeps the previous version running if the saved file cannot be loaded', async () => {
    writeFileSync(file, 'export const deploymentController = (;\n');
    await cluster.complains(`Failed to load ${STUB}`);
    await cluster.complains('The version from before keeps running.');
  });

  test('reports an error that the controller throws, with its line', async () => {
    const signature = /^export async function syncDeployment\(.*\{$/m;
    expect(right).toMatch(signature);
    await saved(right.replace(signature, "$& throw new TypeError('a slip');"));
    const [server] = /http:\/\/127\.0\.0\.1:\d+/.exec(cluster.out) ?? [];
    const kubeconfig = readFileSync(path.join(workbook.root, 'kubeconfig'), 'utf8');
    const [, token] = /token: (\w+)/.exec(kubeconfig) ?? [];
    const created = await fetch(`${server}/apis/apps/v1/namespaces/default/deployments`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(web),
    });
    expect(created.status).toBe(201);
    await cluster.complains('The deployment-controller failed and keeps running: TypeError: a slip\n');
    expect(cluster.err).toMatch(/ at .*syncDeployment \(katas\/24-deployment\/deployment\.ts:\d+:\d+\)\n/);
  });

  test('rolls out once the saved file is correct', async () => {
    await saved(right);
    await cluster.says('updates the status of Deployment web: 2 of 2 available');
    expect(cluster.out).toContain(`${STUB} was saved and reloaded. The deployment-controller restarts.\n`);
  });

  test('exits with 0 and reports no further error', async () => {
    const before = cluster.err;
    expect(await cluster.stop()).toBe(0);
    expect(cluster.err).toBe(before);
  });
});

const labels = { app: 'web' };
const web = {
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
};
