#ifndef DEX_CPROCESS_H
#define DEX_CPROCESS_H

/// Forbids the system to dump this process's memory and other processes of its user to read it.
///
/// prctl(2) is variadic, which Swift cannot call. Returns 0 where that is done.
int dex_process_forbid_inspection(void);

#endif
