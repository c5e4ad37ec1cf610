/** Image registries: their client interface, the simulated registries, and their content. */

export { catalogue, familiarName, privateAccount, publicRegistries, standInImage } from './catalogue.ts';
export { type MissingImage, ObligingRegistry } from './obliging-registry.ts';
export { Registry } from './registry.ts';
export type { NewRegistry, RegistryClient } from './registry-client.ts';
export type { ImageSource } from './repository.ts';
