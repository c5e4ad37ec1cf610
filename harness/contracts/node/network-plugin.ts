/**
 * Connects pods to the network: the container runtime calls it for each sandbox. A plugin is a separate program on the
 * node. Each call may fail before or after its effect.
 *
 * Upstream: containernetworking/cni@v1.3.0 SPEC.md, section 4; libcni/api.go CNI
 */
export interface NetworkPlugin {
  /**
   * Adds an interface with IP addresses to the namespace. The runtime calls it once for each attachment.
   *
   * @throws CniError also when the interface already exists. The runtime calls {@link del} even after a failure
   */
  add(attachment: CniAttachment): Promise<CniResult>;

  /** Undoes {@link add}. Succeeds even if the attachment or the namespace does not exist. */
  del(attachment: CniAttachment): Promise<void>;

  /** @throws CniError when the attachment has changed since {@link add} */
  check(attachment: CniAttachment & { readonly prevResult: CniResult }): Promise<void>;

  /**
   * Checks whether the plugin is ready. Absent: it is ready once it is configured. @throws CniError with code 50 or 51
   * when {@link add} would fail now
   */
  status?(): Promise<void>;

  /**
   * Deletes all attachments except these. Absent: stale attachments are never deleted. @throws CniError with all
   * failures
   */
  gc?(valid: readonly Pick<CniAttachment, 'containerID' | 'ifname'>[]): Promise<void>;
}

/** Identifies an attachment: a container and its interface. */
export interface CniAttachment {
  /** The id of the sandbox. */
  readonly containerID: string;
  /**
   * The path of the network namespace: `/var/run/netns/cni-…`. Empty in a {@link NetworkPlugin.del} if the namespace no
   * longer exists.
   */
  readonly netns: string;
  /** `eth0`. */
  readonly ifname: string;
  /**
   * The pod: `K8S_POD_NAMESPACE`, `K8S_POD_NAME`, `K8S_POD_INFRA_CONTAINER_ID`, `K8S_POD_UID`, as runtimes pass them.
   */
  readonly args: Readonly<Record<string, string>>;
  /** Further tasks of the plugin: it forwards ports of the node to the pod. */
  readonly runtimeConfig?: {
    readonly portMappings?: readonly {
      readonly hostPort: number;
      readonly containerPort: number;
      readonly protocol: string;
      readonly hostIP?: string;
    }[];
  };
}

/** Upstream: containernetworking/cni@v1.3.0 pkg/types/100/types.go Result */
export interface CniResult {
  readonly cniVersion: string;
  /** The bridge, the end of the veth pair on the host, and the end in the container. */
  readonly interfaces: readonly { readonly name: string; readonly mac?: string; readonly sandbox?: string }[];
  readonly ips: readonly CniAddress[];
  readonly routes: readonly { readonly dst: string; readonly gw?: string }[];
}

/** An IP address with its prefix length: `10.244.1.2/24`. */
export interface CniAddress {
  readonly address: string;
  readonly gateway?: string;
  /** Index in {@link CniResult.interfaces}. */
  readonly interface?: number;
}

/**
 * An error of a plugin. A runtime wraps its message: `plugin type="bridge" name="cbr0" failed (add): …`.
 *
 * Upstream: containernetworking/cni@v1.3.0 pkg/types/types.go Error
 */
export class CniError extends Error {
  override readonly name = 'CniError';
  /** The specification defines 1 to 99; codes of a plugin start at 100. */
  readonly code: number;
  readonly details: string | undefined;

  constructor(code: number, message: string, details?: string) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
