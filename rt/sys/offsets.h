/* Offsets of sys.Thread and sys.Context (thread.go), relative to FS or to the G. The thread block
   lies in front of the FS base, but for its last word. */
#define T_BASE    0x180
#define T_SELF    BLOCK:0x00-T_BASE
#define T_G       BLOCK:0x08-T_BASE
#define T_M       BLOCK:0x10-T_BASE
#define T_LOCKS   BLOCK:0x28-T_BASE
#define T_INSIG   BLOCK:0x2c-T_BASE
#define T_G0      BLOCK:0x30-T_BASE
#define T_SYSSP   BLOCK:0x38-T_BASE
#define T_SYSLIM  BLOCK:0x40-T_BASE
#define T_SIGLIM  BLOCK:0x68-T_BASE
#define T_GOSP    BLOCK:0x100-T_BASE
#define T_READY   BLOCK:0x108-T_BASE
#define T_LIMIT   %fs:0x70
#define T_LIMITAT 0x118	/* of the block: where the limit is, in a library */
#define C_SP      0x00
#define C_LIMIT   0x08
#define C_DEFER   0x10
#define C_SEG     0x20
#define C_SYS     0xb0	/* sched.G.Sys */

#define FUNC(name) .globl name; .type name,@function; .p2align 4; name:
#define TEXT .section loam_rt_text,"ax",@progbits
