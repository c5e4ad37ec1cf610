/**
 * A storage vendor's driver on this node.
 *
 * Upstream: container-storage-interface/spec@v1.9.0 csi.proto Node
 */
export interface CsiNode {
  nodeGetCapabilities(): Promise<readonly 'STAGE_UNSTAGE_VOLUME'[]>;
  /** Once for each volume of the node: before its first pod. */
  nodeStageVolume(request: { readonly volumeId: string; readonly stagingTargetPath: string }): Promise<void>;
  /** Once for each pod. */
  nodePublishVolume(request: NodePublishRequest): Promise<void>;
  nodeUnpublishVolume(request: { readonly volumeId: string; readonly targetPath: string }): Promise<void>;
  nodeUnstageVolume(request: {
    readonly volumeId: string;
    readonly stagingTargetPath: string;
  }): Promise<void>;
}

/** A volume, and the path at which its pod sees it. */
export interface NodePublishRequest {
  readonly volumeId: string;
  /** Empty for a driver that does not stage. */
  readonly stagingTargetPath: string;
  readonly targetPath: string;
  readonly readonly: boolean;
  readonly volumeContext: Readonly<Record<string, string>>;
}
