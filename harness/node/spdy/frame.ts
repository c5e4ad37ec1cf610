/**
 * The types of control frames, which carry no stream data. Upstream: moby/spdystream@v0.5.1 spdy/types.go
 * ControlFrameType
 */
export const CONTROL_TYPES = {
  SYN_STREAM: 1,
  SYN_REPLY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PING: 6,
  GOAWAY: 7,
  HEADERS: 8,
  WINDOW_UPDATE: 9,
} as const;

/** The reasons for resetting a stream. Upstream: moby/spdystream@v0.5.1 spdy/types.go RstStreamStatus */
export const RST_STATUS = { PROTOCOL_ERROR: 1, REFUSED_STREAM: 3, CANCEL: 5 } as const;

/** The version in each control frame: SPDY/3.1 uses that of SPDY/3. */
export const VERSION = 3;

/** The flag of the last frame that a side sends on a stream. */
export const FLAG_FIN = 0x01;

/** The flag of a stream on which only its opener sends. */
export const FLAG_UNIDIRECTIONAL = 0x02;

/** Headers by lower-case name. Several values of one name are joined by NUL. */
export type HeaderBlock = ReadonlyMap<string, string>;

/** One frame of SPDY/3.1. Upstream: moby/spdystream@v0.5.1 spdy/types.go */
export type Frame =
  | {
      readonly type: 'SYN_STREAM';
      readonly streamId: number;
      readonly fin: boolean;
      readonly unidirectional: boolean;
      readonly headers: HeaderBlock;
    }
  | {
      readonly type: 'SYN_REPLY' | 'HEADERS';
      readonly streamId: number;
      readonly fin: boolean;
      readonly headers: HeaderBlock;
    }
  | { readonly type: 'RST_STREAM'; readonly streamId: number; readonly status: number }
  /** The preferences of the other side, which are ignored here. */
  | { readonly type: 'SETTINGS' }
  | { readonly type: 'PING'; readonly id: number }
  | { readonly type: 'GOAWAY'; readonly lastStreamId: number; readonly status: number }
  | { readonly type: 'WINDOW_UPDATE'; readonly streamId: number; readonly delta: number }
  | { readonly type: 'DATA'; readonly streamId: number; readonly fin: boolean; readonly data: Uint8Array };

/** Thrown for input that is not valid SPDY/3.1, or exceeds a limit. The connection cannot be used any more. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError';
}
