export { rootCAPublisher } from './root-ca-publisher.ts';
export { serviceAccountsController } from './service-accounts-controller.ts';
export { serviceAccountTokenController } from './token-controller.ts';
export { missingData, type TokenSecret } from './token-secret.ts';
