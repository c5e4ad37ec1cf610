export { type Content, deletionConditions } from './deletion-conditions.ts';
export { emptyNamespace, emptyResource, longestGraceSeconds } from './empty-namespace.ts';
export { finalizeNamespace, namespaceController, syncNamespace } from './namespace-controller.ts';
