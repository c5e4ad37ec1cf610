import { expect, test } from 'vitest';
import { componentTable } from './component-table.ts';
import { controllerAccounts, identityOf } from './identities.ts';

const users = (actor: string, node?: string): string => {
  const { user, informerUser } = identityOf(actor, node);
  return informerUser ? `${user.name}, reads as ${informerUser.name}` : user.name;
};

test('A controller writes as its service account, and reads as the controller manager', () => {
  const reader = 'reads as system:kube-controller-manager';
  expect(users('deployment-controller')).toBe(
    `system:serviceaccount:kube-system:deployment-controller, ${reader}`,
  );
  // The name of an account is older than that of its controller.
  expect(users('endpoints-controller')).toBe(
    `system:serviceaccount:kube-system:endpoint-controller, ${reader}`,
  );
  expect(identityOf('namespace-controller').user.groups).toEqual([
    'system:serviceaccounts',
    'system:serviceaccounts:kube-system',
    'system:authenticated',
  ]);
});

test('A process on a node is that node, or the service account of an add-on', () => {
  expect(identityOf('kubelet-node-1', 'node-1').user).toEqual({
    name: 'system:node:node-1',
    groups: ['system:nodes', 'system:authenticated'],
  });
  expect(users('kube-proxy-node-1', 'node-1')).toBe('system:serviceaccount:kube-system:kube-proxy');
  expect(users('kube-flannel-node-1', 'node-1')).toBe('system:serviceaccount:kube-flannel:flannel');
});

test('A stand-in has the user of its component', () => {
  expect(users('scheduler')).toBe('system:kube-scheduler');
  expect(users('default-scheduler')).toBe('system:kube-scheduler');
});

test('An unknown name is the name of a user', () => {
  expect(identityOf('jane').user).toEqual({ name: 'jane', groups: ['system:authenticated'] });
  expect(users('constructor')).toBe('constructor');
});

test('Only administrators and the apiserver have every right', () => {
  const processes = Object.values(componentTable).flatMap(({ process }) => process?.name ?? []);
  const others = [
    ...['admin', 'kubeadm', 'kubectl', 'system:apiserver', 'ipallocator-repair-controller'],
    ...['namespace-controller', 'serviceaccount-controller', 'metrics-server'],
  ];
  const masters = [...processes, ...others].filter((actor) =>
    identityOf(actor, 'node-1').user.groups.includes('system:masters'),
  );
  expect(masters).toEqual(['admin', 'kubeadm', 'system:apiserver', 'ipallocator-repair-controller']);
});

test('Each controller has an account, and some share one', () => {
  const accounts = controllerAccounts();
  expect(accounts).toEqual(expect.arrayContaining(['deployment-controller', 'certificate-controller']));
  expect(accounts).not.toContain('kube-proxy');
  expect(new Set(accounts).size).toBe(accounts.length);
});
