import type { ServiceAccount } from '../../api/objects.ts';
import { serviceAccounts } from '../../api/resource.ts';
import { mapItems, withChanged } from '../copy-on-write.ts';
import { declareKind } from '../declare/declare-kind.ts';

/**
 * The kind ServiceAccount. Of the secrets that it lists, only the names are kept.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/serviceaccount/strategy.go
 *
 * Differs: an update causes no warning about the deprecated annotation.
 */
export const serviceAccount = declareKind<ServiceAccount>({
  resource: serviceAccounts,
  returnsDeletedObject: true,
  revalidates: 'after metadata',
  prepareForCreate: withNamesOfSecrets,
  prepareForUpdate: withNamesOfSecrets,
  warningsOnCreate: ({ metadata }) =>
    metadata.annotations?.[ENFORCE_MOUNTABLE_SECRETS] === undefined
      ? []
      : [
          `metadata.annotations[${ENFORCE_MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ],
});

const ENFORCE_MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

function withNamesOfSecrets(account: ServiceAccount): ServiceAccount {
  return withChanged(account, 'secrets', (secrets) =>
    mapItems(secrets, (secret) =>
      Object.keys(secret).every((field) => field === 'name')
        ? secret
        : secret.name === undefined
          ? {}
          : { name: secret.name },
    ),
  );
}
