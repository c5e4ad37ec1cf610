/** Image registries: their client interface, the simulated registries, and their content. */

export { catalogue, privateAccount, publicRegistries } from './catalogue.ts';
export { Registry } from './registry.ts';
export type { RegistryClient } from './registry-client.ts';
export type { ImageSource } from './repository.ts';
