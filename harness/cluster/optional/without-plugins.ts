import type { NewAdmission } from '../../contracts/admission/index.ts';

/**
 * Disables plugins of an admission that are not written yet.
 *
 * @param names - `PodSecurity`
 */
export function withoutPlugins(newAdmission: NewAdmission, names: readonly string[]): NewAdmission {
  return (context) =>
    newAdmission({ ...context, disabledPlugins: [...(context.disabledPlugins ?? []), ...names] });
}
