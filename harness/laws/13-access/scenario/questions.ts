import { pathRequest, type Question, RBAC, resourceRequest } from './index.ts';

/** The plurals of the cluster-scoped resources that scenarios use. */
export const clusterScoped: readonly string[] = [
  'nodes',
  'namespaces',
  'persistentvolumes',
  'clusterroles',
  'clusterrolebindings',
  'users',
  'groups',
];

/** Returns requests of each kind in a namespace. A law compares the rights of users by these. */
export function questionsIn(namespace: string): readonly Question[] {
  const known = atoms.get(namespace) ?? allQuestions(namespace);
  atoms.set(namespace, known);
  return known;
}

const atoms = new Map<string, readonly Question[]>();

const RESOURCES: readonly (readonly [apiGroup: string, resource: string, subresource?: string])[] = [
  ['', 'pods'],
  ['', 'pods', 'log'],
  ['', 'secrets'],
  ['', 'configmaps'],
  ['', 'nodes'],
  ['', 'namespaces'],
  ['', 'serviceaccounts', 'token'],
  ['apps', 'deployments'],
  ['apps', 'deployments', 'scale'],
  ['stable.example.com', 'crontabs', 'scale'],
  ['core', 'pods'],
  [RBAC, 'roles'],
  [RBAC, 'rolebindings'],
  [RBAC, 'clusterroles'],
  [RBAC, 'clusterrolebindings'],
];

const VERBS = ['get', 'list', 'create', 'delete'] as const;
const PATHS = ['/healthz', '/healthz/etcd', '/metrics', '/'] as const;

function allQuestions(namespace: string): readonly Question[] {
  const resources = RESOURCES.flatMap(([apiGroup, resource, subresource = '']) => {
    const verbs = apiGroup === RBAC ? [...VERBS, 'update', 'escalate', 'bind'] : VERBS;
    return verbs.flatMap((verb) => {
      const isNamed = verb !== 'list' && verb !== 'create';
      return (isNamed ? ['web', 'db'] : ['', ...(verb === 'list' ? ['web'] : [])]).map((name) =>
        resourceRequest({
          verb,
          apiGroup,
          resource,
          subresource,
          namespace: clusterScoped.includes(resource) ? '' : namespace,
          name,
        }),
      );
    });
  });
  const acting = ['users', 'groups'].flatMap((resource) =>
    ['jane', 'dev'].map((name) => resourceRequest({ verb: 'impersonate', resource, name })),
  );
  return [
    ...resources,
    ...acting,
    ...(namespace === '' ? PATHS.map((path) => pathRequest('get', path)) : []),
  ];
}
