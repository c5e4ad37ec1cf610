/** `#given/62-namespace`: the parts of the harness that only solution 62 uses. */
export { GroupDiscoveryFailed } from '../../contracts/discovery.ts';
