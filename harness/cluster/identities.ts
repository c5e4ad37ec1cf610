import { APISERVER_USER, userNamed } from '../apiserver/users.ts';
import type { User } from '../contracts/access/index.ts';
import { componentTable, processCalled } from './component-table.ts';

/** The users that a process sends its requests as. */
export interface Identity {
  readonly user: User;
  /** The user of its informers. @defaultValue the same user */
  readonly informerUser?: User;
}

/**
 * The group of the users of `admin.conf`. Its rights come from a role, so an administrator can take them away.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubeadm/app/constants/constants.go ClusterAdminsGroupAndClusterRoleBinding
 */
export const CLUSTER_ADMINS = 'kubeadm:cluster-admins';

/** Upstream: kubernetes/kubernetes@v1.36.3 cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go getKubeConfigSpecsBase */
const KUBERNETES_ADMIN: User = {
  name: 'kubernetes-admin',
  groups: [CLUSTER_ADMINS, 'system:authenticated'],
};

/** The user of `super-admin.conf`. Its group has every right, whatever the roles say. */
const SUPER_ADMIN: User = {
  name: 'kubernetes-super-admin',
  groups: ['system:masters', 'system:authenticated'],
};

const CONTROLLER_MANAGER = userNamed('system:kube-controller-manager');
const CONTROLLER_ACCOUNTS = 'system:serviceaccount:kube-system:';

/**
 * Returns the users of a controller of the controller manager: it writes as its service account. Its informers belong
 * to the controller manager, whose role reads everything.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/app/controllermanager.go createClientBuilders,
 * CreateControllerContext, with the flag --use-service-account-credentials of kubeadm
 */
function controller(account: string): Identity {
  return { user: userNamed(`${CONTROLLER_ACCOUNTS}${account}`), informerUser: CONTROLLER_MANAGER };
}

/**
 * The users of processes, connections and clients that the table of components does not contain.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 cmd/kube-controller-manager/app/core.go, certificates.go, NewClient
 */
const others: Readonly<Record<string, Identity>> = {
  admin: { user: SUPER_ADMIN },
  kubeadm: { user: SUPER_ADMIN },
  kubectl: { user: KUBERNETES_ADMIN },
  [APISERVER_USER.name]: { user: APISERVER_USER },
  'metrics-server': { user: userNamed('system:serviceaccount:kube-system:metrics-server') },
  // These are controllers of the apiserver, not of the controller manager.
  'apiservice-availability-controller': { user: APISERVER_USER },
  'apiservice-registration-controller': { user: APISERVER_USER },
  'ipallocator-repair-controller': { user: APISERVER_USER },
  'kube-controller-manager': { user: CONTROLLER_MANAGER },
  'certificatesigningrequest-approving-controller': controller('certificate-controller'),
  'certificatesigningrequest-signing-controller': controller('certificate-controller'),
  'resourcequota-controller': controller('resourcequota-controller'),
};

/**
 * Returns the users of the process, connection or client of this name, as kubeadm sets up a cluster. Any other name is
 * the name of a user.
 *
 * Differs: a process does not log in with a certificate or a token, so its user has neither a uid nor extra facts.
 *
 * @param actor - as in traces and in the journal: `deployment-controller`, `kubelet-node-1`
 * @param node - the node of the process, if it runs on one
 */
export function identityOf(actor: string, node = ''): Identity {
  if (Object.hasOwn(others, actor)) return others[actor] as Identity;
  const row = processCalled(actor);
  if (!row) return { user: userNamed(actor) };
  const { name, once, user = `${CONTROLLER_ACCOUNTS}${name}` } = row;
  if (once === 'cluster' && user.startsWith(CONTROLLER_ACCOUNTS)) {
    return controller(user.slice(CONTROLLER_ACCOUNTS.length));
  }
  return { user: userNamed(user.replace('NODE', node)) };
}

/** Returns the names of the service accounts that the controllers of the controller manager have in `kube-system`. */
export function controllerAccounts(): readonly string[] {
  const processes = Object.values(componentTable).flatMap(({ process }) => process?.name ?? []);
  const accounts = [...processes, ...Object.keys(others)].flatMap((name) => {
    const { user, informerUser } = identityOf(name);
    return informerUser ? user.name.slice(CONTROLLER_ACCOUNTS.length) : [];
  });
  return [...new Set(accounts)].sort();
}
