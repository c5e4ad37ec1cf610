/** Ways to an apiserver, and what one builds on them. */
export { Connection } from './connection.ts';
export { type InformerFactoryOptions, sharedInformerFactory } from './shared-informer-factory.ts';
