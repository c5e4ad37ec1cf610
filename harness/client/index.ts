/** Connections to an apiserver, and the parts that build on them. */
export { Connection } from './connection.ts';
export { type InformerFactoryOptions, sharedInformerFactory } from './shared-informer-factory.ts';
