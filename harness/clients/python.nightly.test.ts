import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { ServedCluster } from '../serving/served-cluster.ts';

/** Debian installs its Python packages for this interpreter. Another python3 on the PATH may not find them. */
const PYTHON = '/usr/bin/python3';
const asked = spawnSync(PYTHON, ['-c', 'import kubernetes; print(kubernetes.__version__)'], {
  encoding: 'utf8',
});
const version = asked.status === 0 ? asked.stdout.trim() : undefined;

/** A line that `steps.py` prints. */
type Line = { readonly ask: 'compact' | 'end watches' } | Outcome;

/** The result of a step, or its error. */
interface Outcome {
  readonly step: string;
  readonly saw?: unknown;
  readonly failed?: string;
}

/** The steps of `steps.py` in order: name, title, and the result that the client must see. */
const steps: readonly (readonly [name: string, title: string, sees: unknown])[] = [
  ['typed_crud', 'creates, reads, replaces, deletes and lists an object', [{ a: '1', b: '2' }, 'Success', 0]],
  [
    'typed_kinds',
    'reads objects of several kinds into their types',
    ['V1Secret', 'V1Service', 'V1ServiceAccount', 'V1Job', 'V1PodDisruptionBudget', 'V1Role'],
  ],
  ['cluster_scoped', 'reaches cluster-scoped objects', [['node-1', 'node-2'], 'Active']],
  [
    'errors',
    'reads the reason why a request is rejected',
    {
      'not found': { status: 404, reason: 'Not Found', body: 'NotFound' },
      exists: { status: 409, reason: 'Conflict', body: 'AlreadyExists' },
      conflict: { status: 409, reason: 'Conflict', body: 'Conflict' },
      invalid: {
        status: 422,
        reason: 'Unprocessable Entity',
        body: 'Invalid',
        fields: ['metadata.name', 'spec.containers'],
      },
      'bad request': { status: 400, reason: 'Bad Request', body: 'BadRequest' },
    },
  ],
  ['dry_run', 'reads the object of a dry run, which creates nothing', [true, 404]],
  [
    'patches',
    'patches: by the keys of lists, by a path, and by whole lists',
    {
      strategic: [
        ['side', []],
        ['main', []],
      ],
      json: [
        ['side', ['A']],
        ['main', []],
      ],
      merge: [['side', ['A']]],
    },
  ],
  ['status', 'patches only the status', [0, true]],
  ['scale', 'scales a Deployment', [2, 0]],
  [
    'pages',
    'lists page by page',
    [
      [['page-0', 'page-1'], null],
      [['page-2', 'page-3'], null],
      [['page-4'], null],
    ],
  ],
  ['page_expired', 'continues a list after 410', [410, 'Expired', ['page-2', 'page-3']]],
  ['delete_collection', 'deletes the selected objects', 0],
  ['watches', 'continues a watch that the server has ended', ['ADDED', 'MODIFIED', 'DELETED']],
  ['watch_expired', 'lists and watches again after 410', [[410, 'Expired'], true, 'DELETED']],
  ['watch_with_a_timeout', 'watches until its timeout', true],
  [
    'dynamic_crud',
    'creates, reads, replaces, patches and deletes without types',
    [{ b: '2' }, { c: '3' }, 1, 404],
  ],
  ['dynamic_discovery', 'discovers the served resources', ['Deployment', ['scale', 'status'], '1']],
  [
    'server_side_apply',
    'applies, receives a conflict, and takes the field over by force',
    [
      [0, ['one']],
      {
        reason: 'FieldManagerConflict',
        message: 'conflict with "one"',
        field: '.spec.replicas',
      },
      [1, ['two']],
    ],
  ],
  ['dynamic_watch', 'watches without types', ['ADDED', 'dynamic-watch']],
  ['roll_out', 'watches a Deployment roll out', 2],
  ['logs', 'reads a log', ['/docker-entrypoint.sh: Configuration complete; ready for start up', 'Z', 404]],
  ['logs_that_are_followed', 'follows a log until the container exits', ['one', 'two']],
  ['exec_in_a_pod', 'runs a command in a container', 'out\nweb-0\n'],
  ['exec_with_stdin_and_exit_code', 'writes to a command, and receives its exit code', ['hello', true, 3]],
  ['exec_refused', 'receives the reason why a command cannot run', [0, 'Handshake status 400 Bad Request']],
  ['attach', 'types to the first process of a container', 'attached'],
  [
    'port_forward',
    'forwards two ports, and receives an error because nothing listens on one of them',
    [200, true, '', true],
  ],
  ['eviction', 'evicts a pod', 'evicted'],
  [
    'eviction_refused',
    'receives 429 if a pod may not be evicted now',
    { status: 429, reason: 'Too Many Requests', body: 'TooManyRequests' },
  ],
  ['delete_a_deployment', 'deletes a Deployment with all its dependents', 0],
];

describe.skipIf(version === undefined)(
  `The Python client ${version ?? `is skipped: ${PYTHON} has no package kubernetes (Debian: python3-kubernetes)`}`,
  () => {
    let cluster: ServedCluster;
    let home: string;
    let child: ChildProcess;
    let outcomes: Promise<ReadonlyMap<string, Outcome>>;

    beforeAll(async () => {
      const { components } = (await import('#components')) as { readonly components: Components };
      cluster = await ServedCluster.of(components);
      home = await mkdtemp(path.join(tmpdir(), 'python-'));
      await writeFile(path.join(home, 'config'), cluster.kubeconfig);
      child = spawn(PYTHON, [path.join(import.meta.dirname, 'python', 'steps.py')], {
        env: { HOME: home, KUBECONFIG: path.join(home, 'config'), PYTHONDONTWRITEBYTECODE: '1' },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      outcomes = carriedOut(child, cluster);
    });
    afterAll(async () => {
      child.kill();
      await cluster[Symbol.asyncDispose]();
      await rm(home, { recursive: true });
    });

    test.each(steps)('%s: %s', async (name, _, sees) => {
      const outcome = (await outcomes).get(name);
      if (outcome?.failed !== undefined) throw new Error(outcome.failed);
      expect(outcome?.saw).toEqual(sees);
    });

    test('runs exactly the steps that are listed here', async () => {
      expect([...(await outcomes).keys()]).toEqual(steps.map(([name]) => name));
    });
  },
);

/** Reads the outcomes of the steps from a process, and executes its requests to the cluster. */
async function carriedOut(
  { stdin, stdout }: ChildProcess,
  cluster: ServedCluster,
): Promise<ReadonlyMap<string, Outcome>> {
  if (!stdin || !stdout) throw new Error('The process has no pipes.');
  const outcomes = new Map<string, Outcome>();
  for await (const text of createInterface({ input: stdout })) {
    const line = JSON.parse(text) as Line;
    if ('step' in line) outcomes.set(line.step, line);
    else {
      if (line.ask === 'compact') cluster.compact();
      else cluster.endWatches();
      stdin.write('\n');
    }
  }
  return outcomes;
}
