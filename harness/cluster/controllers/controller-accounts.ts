import { serviceAccounts } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import type { Component } from '../../contracts/component.ts';
import { ensure } from '../ensure.ts';
import { controllerAccounts } from '../identities.ts';

/**
 * Creates the service accounts of the controllers: the part of the controller manager that logs them in.
 *
 * Upstream: kubernetes/controller-manager@v0.36.3 pkg/clientbuilder/client_builder_dynamic.go getOrCreateServiceAccount
 *
 * Differs: it requests no tokens, because no controller has to log in.
 */
export const controllerAccountsCreator: Component = async ({ client, signal }) => {
  for (const name of controllerAccounts()) {
    const key = { namespace: 'kube-system', name };
    await client.get(serviceAccounts, key, { signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
      return ensure(client, serviceAccounts, { metadata: key });
    });
  }
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
};
