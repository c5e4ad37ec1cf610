/**
 * A file that only grows, on a disk that can lose power.
 *
 * Text that was appended and not synced can be lost from any character on when the process or the machine crashes; its
 * last part can be torn: other characters stand there. Text that was synced stays.
 */
export interface LogFile {
  /** Returns all text of the file. */
  read(): Promise<string>;
  /** Adds text at the end. */
  append(text: string): Promise<void>;
  /** Resolves when all text that was appended before the call is safe. */
  sync(): Promise<void>;
  /** Cuts the file to its first `length` characters, and syncs. */
  truncate(length: number): Promise<void>;
}
