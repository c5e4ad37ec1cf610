/** The fields of a Go struct in order, each with its JSON name, its zero value, and the struct that it contains. */
export type GoStruct = Readonly<Record<string, readonly [field: string, zero: unknown, inner?: GoStruct]>>;

/**
 * Converts a value to the form of upstream's errors about internal types: Go field names, with all absent fields.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/validation/field/errors.go Error.ErrorBody, over
 * kubernetes/kubernetes@v1.36.3 pkg/apis/core/types.go, whose fields have no names for JSON
 */
export function inGoNames(value: unknown, struct: GoStruct): unknown {
  if (Array.isArray(value)) return value.map((item) => inGoNames(item, struct));
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(struct).map(([name, [field, zero, inner]]) => {
      const part = (value as Record<string, unknown>)[field];
      return [name, part === undefined ? zero : inner ? inGoNames(part, inner) : part];
    }),
  );
}

/** Returns a map with sorted keys, as Go prints it. */
export function inGoOrder(map: Readonly<Record<string, string>> | undefined): unknown {
  return map && Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Upstream: PodIP, HostIP */
export const IP: GoStruct = { IP: ['ip', ''] };

/** Upstream: SeccompProfile, AppArmorProfile */
export const PROFILE: GoStruct = { Type: ['type', ''], LocalhostProfile: ['localhostProfile', null] };

/** Upstream: Taint */
export const TAINT: GoStruct = {
  Key: ['key', ''],
  Value: ['value', ''],
  Effect: ['effect', ''],
  TimeAdded: ['timeAdded', null],
};

const REQUIREMENT: GoStruct = { Key: ['key', ''], Operator: ['operator', ''], Values: ['values', null] };

/** Upstream: NodeSelectorTerm */
export const NODE_SELECTOR_TERM: GoStruct = {
  MatchExpressions: ['matchExpressions', null, REQUIREMENT],
  MatchFields: ['matchFields', null, REQUIREMENT],
};

/** Upstream: SecurityContext */
export const SECURITY_CONTEXT: GoStruct = {
  Capabilities: ['capabilities', null, { Add: ['add', null], Drop: ['drop', null] }],
  Privileged: ['privileged', null],
  SELinuxOptions: [
    'seLinuxOptions',
    null,
    { User: ['user', ''], Role: ['role', ''], Type: ['type', ''], Level: ['level', ''] },
  ],
  WindowsOptions: [
    'windowsOptions',
    null,
    {
      GMSACredentialSpecName: ['gmsaCredentialSpecName', null],
      GMSACredentialSpec: ['gmsaCredentialSpec', null],
      RunAsUserName: ['runAsUserName', null],
      HostProcess: ['hostProcess', null],
    },
  ],
  RunAsUser: ['runAsUser', null],
  RunAsGroup: ['runAsGroup', null],
  RunAsNonRoot: ['runAsNonRoot', null],
  ReadOnlyRootFilesystem: ['readOnlyRootFilesystem', null],
  AllowPrivilegeEscalation: ['allowPrivilegeEscalation', null],
  ProcMount: ['procMount', null],
  SeccompProfile: ['seccompProfile', null, PROFILE],
  AppArmorProfile: ['appArmorProfile', null, PROFILE],
};
