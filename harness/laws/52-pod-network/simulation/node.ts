import type { CniConfigurationList } from '../../../contracts/node/cni-plugin.ts';
import type { CniAttachment, CniResult } from '../../../contracts/node/network-plugin.ts';
import { createMachineFiles, type MachineFiles } from '../../../node/files/index.ts';
import type { Link } from '../../../node/network/stack/link.ts';
import type { MachineNetwork } from '../../../node/network/stack/machine-network.ts';
import type { NetworkNamespace } from '../../../node/network/stack/namespace.ts';
import type { Line } from '../../../sim/index.ts';

/** Path of the network configuration that the container runtime reads. */
export const CONFLIST = '/etc/cni/net.d/10-flannel.conflist';

/** One attempt to connect a pod: a sandbox, and its result. */
export interface Attachment {
  /** `web-1`. */
  readonly pod: string;
  readonly index: number;
  readonly attachment: CniAttachment;
  readonly namespace: NetworkNamespace;
  readonly hostPort: number | undefined;
  /** `there`: from a successful ADD to the start of its DEL. `given up`: only a GC removes its remains. */
  state: 'adding' | 'there' | 'leaving' | 'given up' | 'gone';
  /** Faults, in order of time: `its ADD died at 310 ms`, `the GC at 500 ms left it`. */
  readonly befell: string[];
  result?: CniResult;
  /** Its part of the network, rendered; constant while it exists. */
  part?: string;
  /** Whether a user has changed its network. */
  isSpoiled?: boolean;
}

/** A machine of a run, and the knowledge of its runtime. */
export class SimNode {
  readonly name: string;
  readonly address: string;
  readonly podCIDR: string;
  readonly bridgeName: string;
  readonly files: MachineFiles;
  machine: MachineNetwork;
  /** All attempts so far. */
  readonly attachments: Attachment[] = [];
  /** The running plugins. */
  readonly lines = new Set<Line>();
  /** Number of boots. */
  boots = 1;
  isOff = false;
  /** Number of running calls of the runtime. */
  busy = 0;
  isCollecting = false;
  /** MAC of the bridge, since the first successful ADD. */
  bridgeMac: string | undefined;
  /** State before the first plugin ran. */
  baseline: readonly string[] = [];
  /** Addresses that two pods had at the same time, reported once each. */
  readonly shared = new Set<string>();
  /** The bridge port of another program. */
  foreignPort: Link | undefined;

  constructor(options: {
    readonly name: string;
    readonly address: string;
    readonly podCIDR: string;
    readonly machine: MachineNetwork;
    readonly bridgeName: string;
    /** @defaultValue an empty disk */
    readonly files?: MachineFiles;
  }) {
    this.name = options.name;
    this.address = options.address;
    this.podCIDR = options.podCIDR;
    this.machine = options.machine;
    this.bridgeName = options.bridgeName;
    this.files = options.files ?? createMachineFiles();
  }

  /** The connected pods. */
  get there(): readonly Attachment[] {
    return this.attachments.filter(({ state }) => state === 'there');
  }

  /** Returns the network configuration; undefined while it is missing. */
  async conflist(): Promise<CniConfigurationList | undefined> {
    try {
      return JSON.parse(await this.files.readFile(CONFLIST)) as CniConfigurationList;
    } catch {
      return undefined;
    }
  }

  /** The bridge of the pods, if it exists. */
  get bridge(): Link | undefined {
    return this.machine.host.links.get(this.bridgeName);
  }
}

/** Returns the first address of a pod. */
export function addressOf({ result }: Attachment): string | undefined {
  return result?.ips?.[0]?.address?.split('/')[0];
}
