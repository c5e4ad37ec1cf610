import { describe, expect, test } from 'vitest';
import { faultNames } from '../../../../faults/index.ts';
import type { Subject } from '../../../protocol/details.ts';
import { type Act, sayAct } from '../act.ts';
import { defaultsOf, type Values } from '../input.ts';
import { clusterView, node, pod } from '../view.fixture.ts';
import type { MenuItem } from './menu.ts';
import { menuOf } from './menu-of.ts';

const view = clusterView();
const subjects: readonly Subject[] = [
  { kind: 'object', resource: 'pods', key: 'default/web-1' },
  { kind: 'object', resource: 'deployments.apps', key: 'default/web' },
  { kind: 'object', resource: 'services', key: 'default/web' },
  { kind: 'object', resource: 'replicasets.apps', key: 'shop/web-7d4b9c' },
  { kind: 'component', name: 'replicaset-controller' },
  { kind: 'component', name: 'kubelet-node-1' },
  { kind: 'component', name: 'kubectl' },
  { kind: 'node', name: 'node-1' },
  { kind: 'node', name: 'node-2' },
  { kind: 'apiserver', index: 0 },
  { kind: 'host', name: 'laptop' },
];

/** Returns the items of a menu. */
function itemsOf(subject: Subject, of = view): readonly MenuItem[] {
  return menuOf(subject, of).flatMap(({ items }) => items);
}

/** Returns the act of an item, with values other than its defaults. */
function actOf(subject: Subject, id: string, values: Values = {}, of = view): Act {
  const item = itemsOf(subject, of).find((one) => one.id === id);
  if (!item) throw new Error(`No item ${id} in ${itemsOf(subject, of).map((one) => one.id)}`);
  return item.act({ ...defaultsOf(item.inputs), ...values });
}

const inWords = (subject: Subject, id: string, values?: Values) => sayAct(actOf(subject, id, values));

describe('The menus', () => {
  test('reach every fault of the nemesis', () => {
    const reached = subjects.flatMap((subject) =>
      itemsOf(subject).flatMap((item) => {
        const act = item.act(defaultsOf(item.inputs));
        return 'action' in act && act.action.do === 'fault' ? [act.action.fault.fault] : [];
      }),
    );
    expect([...new Set(reached)].sort()).toEqual([...faultNames].sort());
  });

  test('reach every action that no command of the prompt performs', () => {
    const reached = subjects.flatMap((subject) =>
      itemsOf(subject).flatMap((item) => {
        const act = item.act(defaultsOf(item.inputs));
        return 'action' in act ? [act.action.do] : [];
      }),
    );
    expect(reached).toEqual(
      expect.arrayContaining(['fault', 'heal', 'kill', 'power-on', 'fill-disk', 'request']),
    );
  });

  test.each(subjects)('of $kind $key$name have different items, each with a sentence', (subject) => {
    const items = itemsOf(subject);
    expect(items.length).toBeGreaterThan(0);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    for (const item of items)
      expect(sayAct(item.act(defaultsOf(item.inputs)))).toMatch(/^([A-Z]\S*|kubectl|curl) .+/);
  });

  test('of subjects that do not exist are empty', () => {
    expect(menuOf({ kind: 'object', resource: 'pods', key: 'default/web-9' }, view)).toEqual([]);
    expect(menuOf({ kind: 'component', name: 'cloud-controller' }, view)).toEqual([]);
    expect(menuOf({ kind: 'node', name: 'node-9' }, view)).toEqual([]);
  });
});

describe('The menu of a process', () => {
  const subject: Subject = { kind: 'component', name: 'replicaset-controller' };

  test('kills it, and chooses when it starts again', () => {
    expect(inWords(subject, 'kill', { restartAfterMs: '2.5' })).toBe(
      'Kill replicaset-controller, and start it again after 2.5 s',
    );
  });

  test('delays the events of one resource, by its plural as faults name it', () => {
    expect(actOf(subject, 'delay-watches', { resource: 'replicasets', forMs: '10' })).toEqual({
      action: {
        do: 'fault',
        fault: {
          fault: 'delay-watches',
          process: 'replicaset-controller',
          forMs: 10_000,
          resource: 'replicasets',
        },
      },
    });
    expect(inWords(subject, 'delay-watches')).toBe('Hold back the events of replicaset-controller for 30 s');
  });

  test('refuses requests of one verb, or of any', () => {
    expect(inWords(subject, 'refuse')).toBe(
      'Refuse the next 3 requests of replicaset-controller with Conflict',
    );
    expect(inWords(subject, 'refuse', { verb: 'create', requests: '1', reason: 'Forbidden' })).toBe(
      'Refuse the next create of replicaset-controller with Forbidden',
    );
  });

  test('loses an answer whose request was carried out, or was not', () => {
    expect(inWords(subject, 'time-out', { performed: 'no', verb: 'bind' })).toBe(
      'Let the next bind of replicaset-controller time out, not carried out',
    );
  });

  test('offers calls only to the processes that make them', () => {
    const has = (name: string) =>
      itemsOf({ kind: 'component', name }).some(({ id }) => id.startsWith('fail-call'));
    expect(['replicaset-controller', 'kubelet-node-1', 'kube-proxy-node-1'].map(has)).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('The menu of a node', () => {
  test('offers the opposite of its present state', () => {
    const ids = (name: string) => itemsOf({ kind: 'node', name }).map(({ id }) => id);
    expect(ids('node-1')).toEqual(expect.arrayContaining(['cordon', 'node-death']));
    expect(ids('node-2')).toEqual(expect.arrayContaining(['uncordon', 'power-on']));
  });

  test('never fills the disk with less than it has', () => {
    const full = clusterView({ nodes: [node('node-1', { diskUsedPercent: 97.2 })] });
    const act = actOf({ kind: 'node', name: 'node-1' }, 'fill-disk', {}, full);
    expect(act).toEqual({ action: { do: 'fill-disk', node: 'node-1', percent: 99 } });
  });

  test('lets the network plugin fail for the container runtime, which calls it', () => {
    expect(inWords({ kind: 'node', name: 'node-1' }, 'fail-call containerd-node-1')).toBe(
      'Fail the next cni call of containerd-node-1, carried out',
    );
  });
});

describe('The menu of a pod', () => {
  test('names the namespace unless it is default', () => {
    const shop = clusterView({ pending: [pod('web-2', { namespace: 'shop' })] });
    const subject: Subject = { kind: 'object', resource: 'pods', key: 'shop/web-2' };
    expect(actOf(subject, 'delete', {}, shop)).toEqual({ line: 'kubectl delete pod web-2 -n shop' });
    expect(inWords({ kind: 'object', resource: 'pods', key: 'default/web-1' }, 'logs')).toBe(
      'kubectl logs web-1',
    );
  });

  test('asks for the container if there are several, main containers first', () => {
    const [main] = pod('web-3').containers;
    if (!main) throw new Error('a pod has a container');
    const containers = [{ ...main, name: 'proxy', kind: 'sidecar' as const }, main];
    const two = clusterView({ pending: [pod('web-3', { containers })] });
    const subject: Subject = { kind: 'object', resource: 'pods', key: 'default/web-3' };
    expect(actOf(subject, 'logs', {}, two)).toMatchObject({ line: 'kubectl logs web-3 -c nginx' });
    expect(actOf(subject, 'shell', { container: 'proxy' }, two)).toMatchObject({
      line: 'kubectl exec -it web-3 -c proxy -- sh',
    });
  });

  test('opens the prompt for output to read and for a shell, but not for a deletion', () => {
    const subject: Subject = { kind: 'object', resource: 'pods', key: 'default/web-1' };
    const opens = (id: string) => {
      const act = actOf(subject, id);
      return 'line' in act && act.opensPrompt === true;
    };
    expect(['describe', 'logs', 'shell', 'delete', 'delete-now'].map(opens)).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
  });
});

describe('The menu of a Deployment', () => {
  const subject: Subject = { kind: 'object', resource: 'deployments.apps', key: 'default/web' };

  test('begins at the present number of replicas and the present image', () => {
    expect(inWords(subject, 'scale')).toBe('kubectl scale deployment web --replicas=3');
    expect(inWords(subject, 'set-image')).toBe('kubectl set image deployment/web nginx=nginx:1.25');
  });
});

describe('The menu of a Service', () => {
  const subject: Subject = { kind: 'object', resource: 'services', key: 'default/web' };

  test('sends a request from a pod by name, and from outside to the node port', () => {
    expect(inWords(subject, 'request')).toBe('Request http://web from web-1');
    expect(inWords(subject, 'request-outside')).toBe('Request http://node-1:30080 from laptop');
    expect(inWords(subject, 'curl')).toBe('curl http://web');
  });
});

describe('The menu of the laptop', () => {
  const subject: Subject = { kind: 'host', name: 'laptop' };

  test('sends a request to each Service of the user, by node port if it has one', () => {
    expect(inWords(subject, 'request default/web')).toBe('Request http://node-1:30080 from laptop');
    const [service] = view.services;
    if (!service) throw new Error('the view has a Service');
    const two = clusterView({
      services: [
        { ...service, namespace: 'kube-system', name: 'kube-dns' },
        { ...service, name: 'shop', ports: ['8080/TCP'] },
      ],
    });
    expect(menuOf(subject, two).flatMap(({ items }) => items.map(({ id }) => id))).toEqual([
      'request default/shop',
      'curl',
    ]);
    expect(sayAct(actOf(subject, 'request default/shop', {}, two))).toBe(
      'Request http://shop:8080 from laptop',
    );
  });

  test('is empty before there is a Service', () => {
    expect(menuOf(subject, clusterView({ services: [] }))).toEqual([]);
  });
});
