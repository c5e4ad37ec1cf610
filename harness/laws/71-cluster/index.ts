/** The entry point of this folder, for the tests: `#laws/71-cluster`. */
export { holdsInCluster } from './holds-in-cluster.ts';
