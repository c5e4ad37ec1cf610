import type { Impersonation } from '../../contracts/access/index.ts';
import type { Flag, FlagValues } from './flags.ts';
import { KubectlError } from './kubectl-error.ts';

/** The flags of every command that act as another user. Upstream: kubernetes/cli-runtime@v0.36.3 pkg/genericclioptions */
export const IMPERSONATING = {
  as: {
    type: 'text',
    help: 'the user to act as; system:serviceaccount:NAMESPACE:NAME for a service account',
  },
  'as-group': { type: 'texts', help: 'a group of that user; repeat it for several' },
  'as-uid': { type: 'text', help: 'the UID of that user' },
} as const satisfies Record<string, Flag>;

/** The user of the kubeconfig that kubeadm writes. */
const ADMIN = 'kubernetes-admin';

/** Returns the user to act as; undefined if the line names none. @throws KubectlError for groups without a user */
export function impersonationOf(flags: FlagValues): Impersonation | undefined {
  const [user = '', uid] = [flags.text('as'), flags.text('as-uid')];
  const groups = flags.list('as-group');
  if (user === '') {
    if (uid === undefined && groups.length === 0) return undefined;
    // Upstream: kubernetes/client-go@v0.36.3 tools/clientcmd/validation.go validateAuthInfo
    throw new KubectlError(`requesting uid, groups or user-extra for ${ADMIN} without impersonating a user`);
  }
  return { user, groups, extra: {}, ...(uid !== undefined && { uid }) };
}
