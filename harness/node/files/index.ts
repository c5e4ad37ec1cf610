/** The files of a machine: directories, links and mounts in memory, with the semantics of a kernel. */
export { Disk, type DiskOptions } from './disk.ts';
export { type ContainerFiles, createMachineFiles, type MachineFiles } from './machine-files.ts';
