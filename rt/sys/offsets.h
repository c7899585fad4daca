/* Offsets of sys.Thread and sys.Context (thread.go), relative to FS or to the G. */
#define T_SELF    %fs:0x00
#define T_G       %fs:0x08
#define T_M       %fs:0x10
#define T_LOCKS   %fs:0x28
#define T_INSIG   %fs:0x2c
#define T_G0      %fs:0x30
#define T_SYSSP   %fs:0x38
#define T_SYSLIM  %fs:0x40
#define T_SIGLIM  %fs:0x68
#define T_LIMIT   %fs:0x70
#define C_SP      0x00
#define C_LIMIT   0x08
#define C_DEFER   0x10
#define C_SEG     0x20
#define C_SYS     0xb0	/* sched.G.Sys */

#define FUNC(name) .globl name; .type name,@function; .p2align 4; name:
#define TEXT .section loam_rt_text,"ax",@progbits
