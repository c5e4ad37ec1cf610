/**
 * What gives a pod its network: the container runtime calls it for each sandbox. A plugin is a program of its own on the node;
 * each call may fail before or after its effect.
 *
 * Upstream: containernetworking/cni@v1.3.0 SPEC.md, section 4; libcni/api.go CNI
 */
export interface NetworkPlugin {
  /**
   * Gives the namespace an interface and its addresses. It is asked once for an attachment.
   *
   * @throws CniError also when the interface is there already; then {@link del} is called all the same
   */
  add(attachment: CniAttachment): Promise<CniResult>;

  /** Undoes {@link add}. Succeeds if there is nothing to undo, and if the namespace is gone. */
  del(attachment: CniAttachment): Promise<void>;

  /** @throws CniError when the attachment is not as {@link add} left it */
  check(attachment: CniAttachment & { readonly prevResult: CniResult }): Promise<void>;

  /** Absent: it is ready whenever it is configured. @throws CniError when {@link add} would fail now, with code 50 or 51 */
  status?(): Promise<void>;

  /** Takes back all that was added and is not among these. Absent: nothing does. @throws CniError with all that could not be taken back */
  gc?(valid: readonly Pick<CniAttachment, 'containerID' | 'ifname'>[]): Promise<void>;
}

/** Names one attachment: a container and its interface. */
export interface CniAttachment {
  /** Of the sandbox. */
  readonly containerID: string;
  /** The path of the network namespace: `/var/run/netns/cni-…`. Empty for a {@link NetworkPlugin.del} after it is gone. */
  readonly netns: string;
  /** `eth0`. */
  readonly ifname: string;
  /** The pod, as runtimes say it: `K8S_POD_NAMESPACE`, `K8S_POD_NAME`, `K8S_POD_INFRA_CONTAINER_ID`, `K8S_POD_UID`. */
  readonly args: Readonly<Record<string, string>>;
  /** Further things that the plugin is asked to do: it forwards ports of the node to the pod. */
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
  /** The bridge, the end of the veth pair in the host, the one in the container. */
  readonly interfaces: readonly { readonly name: string; readonly mac?: string; readonly sandbox?: string }[];
  readonly ips: readonly CniAddress[];
  readonly routes: readonly { readonly dst: string; readonly gw?: string }[];
}

/** An address, with the length of its prefix: `10.244.1.2/24`. */
export interface CniAddress {
  readonly address: string;
  readonly gateway?: string;
  /** Index in {@link CniResult.interfaces}. */
  readonly interface?: number;
}

/**
 * A plugin said no: `plugin type="bridge" name="cbr0" failed (add): …` is what a runtime makes of its message.
 *
 * Upstream: containernetworking/cni@v1.3.0 pkg/types/types.go Error
 */
export class CniError extends Error {
  override readonly name = 'CniError';
  /** 1 to 99 have a meaning in the specification; a plugin's own begin at 100. */
  readonly code: number;
  readonly details: string | undefined;

  constructor(code: number, message: string, details?: string) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
