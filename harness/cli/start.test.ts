import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');

/** Runs the command that package.json gives a script as npm does. */
function typed(script: 'start' | 'kata', words: readonly string[] = []) {
  const [tsx, ...args] = packageJson.scripts[script].split(' ');
  expect(tsx).toBe('tsx');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules/tsx/dist/cli.mjs'), ...args, ...words],
    { cwd: root, env: { PATH: process.env.PATH, INIT_CWD: root }, encoding: 'utf8' },
  );
  return { status, out: stdout, err: stderr };
}

describe('npm start', () => {
  test('applies a web server and a Service, shows what comes of it, and says how to begin', () => {
    const { status, out, err } = typed('start');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const order = [
      'Each of these watches the apiserver',
      'kubectl apply -f docs/web.yaml',
      'GET deployments/default/web',
      '404 NotFound',
      'POST deployments/default/web',
      '201 Created · revision ',
      'The server filled in',
      'creates ReplicaSet web-',
      'creates 3 Pods of web-',
      'binds 3 Pods of web-',
      'accepts 3 Pods of web-',
      'gives a sandbox to ',
      'pulls nginx:',
      'creates container nginx in 3 Pods of web-',
      'starts container nginx in ',
      'probes: GET 10.244.',
      'has 3 Pods of web-',
      '3 of 3 available',
      'Available=True',
      'All 3 pods say that they are ready.',
      '$ kubectl run curl ',
      'Welcome to nginx!',
      'PREROUTING DNAT by KUBE-SERVICES > KUBE-SVC-',
      '✓ delivered',
      'and back',
      '21-informer',
      'npx vitest ',
    ];
    const places = order.map((part) => out.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(out).not.toContain('script');
    expect(out).not.toContain('\u001b');
  });

  test('ends with one sentence and exit code 1 when it cannot', () => {
    expect(typed('start', ['nope.yaml'])).toEqual({
      status: 1,
      out: '',
      err: 'Failed to read nope.yaml: there is no such file. Name a manifest that exists, or none: npm start takes docs/web.yaml then.\n',
    });
  });
});

describe('npm run kata', () => {
  test('ends with one sentence when there is no such kata', () => {
    const { status, out, err } = typed('kata', ['99']);
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toMatch(/^Failed to find kata 99: .*\n$/);
  });
});
