import { setPriority } from 'node:os'

// Units compute and can wait; what runs beside them sends load, and a stall would spoil its figures.
setPriority(19)
