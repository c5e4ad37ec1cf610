import { expect, test } from 'vitest';
import { samples } from '../ui/act/samples.ts';
import { objectsIn } from './manifest-objects.ts';
import { eventful } from './recipe.fixture.ts';
import { sayAction } from './say-action.ts';

test('Each action has words', () => {
  expect(eventful.actions.map((action) => sayAction(action, eventful.actions))).toEqual([
    'kubectl apply -f - (Deployment web, Service web)',
    'kubectl run shell --image=busybox:1.36 --restart=Never -- sleep 1000',
    'cut the watches of replicaset-controller',
    'kill default-scheduler, and start it again after 700 ms',
    'end all faults',
    'kubectl exec -it shell -- sh',
    'type "echo \\"it\'s here\\" > /tmp/a" into kubectl exec -it shell -- sh',
    'end the input of kubectl exec -it shell -- sh',
    'request http://192.168.0.1:30080/ from laptop',
    'kill node-2',
    'kubectl set image deployment/web nginx=nginx:1.999',
    'kubectl rollout status deployment web',
    'interrupt kubectl rollout status deployment web',
    'turn node-2 on',
    'fill the disk of node-1 up to 96 %',
    "use the reference's replicaSetController",
    'remove the file that fills the disk of node-1',
  ]);
});

test('Long times are seconds', () => {
  expect(sayAction({ do: 'fault', fault: { fault: 'partition', node: 'node-1', forMs: 30_000 } })).toBe(
    'partition node-1 for 30 s',
  );
});

test('A manifest is named by its objects', () => {
  expect(samples.map(({ text }) => objectsIn(text))).toEqual([
    'Deployment web, Service web',
    'Deployment shop, Service shop',
    'Deployment web',
    'Pod crashes',
    'Pod too-large, Pod picky',
    'Service db, StatefulSet db',
    'Job six, Job fails',
  ]);
  const four = ['a', 'b', 'c', 'd'].map(
    (name) => `kind: Pod\nmetadata:\n  labels:\n    x: y\n  name: ${name}\n`,
  );
  expect(objectsIn(four.join('---\n'))).toBe('Pod a, Pod b, Pod c, 1 more');
  expect(objectsIn('kind: Pod\n')).toBe('');
});

test('curl stands beside kubectl', () => {
  expect(sayAction({ do: 'kubectl', line: 'curl http://web' })).toBe('curl http://web');
});
