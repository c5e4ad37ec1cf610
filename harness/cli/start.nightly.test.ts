import { expect, test } from 'vitest';
import { runScript } from './npm-script.fixture.ts';

// `story.test.ts` checks each part of this output without a process.
test('npm start applies a web server and a Service, follows a request to it, and says how to begin', () => {
  const { status, out, err } = runScript('start');
  expect({ status, err }).toEqual({ status: 0, err: '' });
  const order = [
    'Each of these components watches the apiserver',
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
    'creates a sandbox for ',
    'pulls nginx:',
    'creates container nginx in 3 Pods of web-',
    'starts container nginx in ',
    'probes: GET 10.244.',
    'reports 3 Pods of web-',
    '3 of 3 available',
    'Available=True',
    'All 3 pods are ready.',
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

test('npm start ends with one sentence and exit code 1 when the manifest does not exist', () => {
  expect(runScript('start', ['nope.yaml'])).toEqual({
    status: 1,
    out: '',
    err: 'Failed to read nope.yaml: the file does not exist. Name a manifest that exists, or no manifest to apply docs/web.yaml.\n',
  });
});
