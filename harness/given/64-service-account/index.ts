/** `#given/64-service-account`: the parts of the harness that only solution 64 uses. */
export { LEGACY } from '../../contracts/service-accounts.ts';
