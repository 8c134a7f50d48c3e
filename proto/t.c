#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <time.h>
#include "level/ground.h"
#include "level/section.h"
static unsigned long long st=1; static double rnd(void){st=st*6364136223846793005ULL+1442695040888963407ULL;return (double)(st>>11)/9007199254740992.0;}
typedef struct {double x,y,z;} V; static V tri[400000][3]; static int nt;
static void add(V a,V b,V c){tri[nt][0]=a;tri[nt][1]=b;tri[nt][2]=c;nt++;}
static void quad(V a,V b,V c,V d){add(a,b,c);add(a,c,d);}
static void box(double cx,double cz,double y0,double y1,double sx,double sz,double yaw){
  V p[8];double c=cos(yaw),s=sin(yaw);
  for(int i=0;i<8;i++){double x=(i&1?1:-1)*sx/2,z=(i&2?1:-1)*sz/2;p[i]=(V){cx+c*x+s*z,(i&4)?y1:y0,cz-s*x+c*z};}
  quad(p[0],p[1],p[3],p[2]);quad(p[4],p[5],p[7],p[6]);quad(p[0],p[1],p[5],p[4]);quad(p[2],p[3],p[7],p[6]);quad(p[0],p[2],p[6],p[4]);quad(p[1],p[3],p[7],p[5]);}
static void ramp(double cx,double cz,double y0,double y1,double w,double l,double yaw){double c=cos(yaw),s=sin(yaw);V p[4];double xs[4]={-w/2,w/2,w/2,-w/2},zs[4]={0,0,l,l},ys[4]={y0,y0,y1,y1};
  for(int i=0;i<4;i++)p[i]=(V){cx+c*xs[i]+s*zs[i],ys[i],cz-s*xs[i]+c*zs[i]};quad(p[0],p[1],p[2],p[3]);}
static void make(int seed){st=seed*7919+13;for(int i=0;i<10;i++)rnd();nt=0;double W=12;
  quad((V){0,0,0},(V){W,0,0},(V){W,0,W},(V){0,0,W});
  for(int i=0;i<8;i++){double h=rnd();box(rnd()*W,rnd()*W,rnd()<.5?0:rnd()*2.5,0,0,0,0);nt-=12;double y0=rnd()<.6?0:rnd()*2.5;box(rnd()*W,rnd()*W,y0,y0+.05+h*1.5,.3+rnd()*2,.3+rnd()*2,rnd()*6);}
  for(int i=0;i<3;i++)ramp(rnd()*W,rnd()*W,0,rnd()*3,1+rnd()*2,1+rnd()*4,rnd()*6);
  for(int i=0;i<2;i++){double x=rnd()*W,z=rnd()*W,a=rnd()*6,l=1+rnd()*3,h=.2+rnd()*2;quad((V){x,0,z},(V){x+l*cos(a),0,z+l*sin(a)},(V){x+l*cos(a),h,z+l*sin(a)},(V){x,h,z});}
  {double x=rnd()*W,z=rnd()*W,a=rnd()*6;for(int i=0;i<8;i++){double d=i*.3;box(x+sin(a)*d,z+cos(a)*d,i%2?0:i*.17,.17*(i+1),1.2,.3+ (i%3==0)*.1,a);}}
  box(W*rnd(),W*rnd(),2.6,2.8,4,4,0);
  int n=8; double c=rnd()*6+1,d=rnd()*6+1; double hh[9][9];for(int i=0;i<=n;i++)for(int j=0;j<=n;j++)hh[i][j]=(i==0||j==0||i==n||j==n)?-.05:rnd()*.7;
  for(int i=0;i<n;i++)for(int j=0;j<n;j++)quad((V){c+i*.5,hh[i][j],d+j*.5},(V){c+i*.5+.5,hh[i+1][j],d+j*.5},(V){c+i*.5+.5,hh[i+1][j+1],d+j*.5+.5},(V){c+i*.5,hh[i][j+1],d+j*.5+.5});
  // round to float
  for(int i=0;i<nt;i++)for(int k=0;k<3;k++)tri[i][k]=(V){(float)tri[i][k].x,(float)tri[i][k].y,(float)tri[i][k].z};
}
static ground_body B={1.8f,.3f,.7071f};
static int col(double x,double z,ground_layer*o){int n=0;for(int i=0;i<nt;i++){V*a=tri[i];double d=(a[1].x-a[0].x)*(a[2].z-a[0].z)-(a[1].z-a[0].z)*(a[2].x-a[0].x);if(fabs(d)<1e-9)continue;
  double u=((x-a[0].x)*(a[2].z-a[0].z)-(z-a[0].z)*(a[2].x-a[0].x))/d,v=((a[1].x-a[0].x)*(z-a[0].z)-(a[1].z-a[0].z)*(x-a[0].x))/d;if(u<0||v<0||u+v>1)continue;
  double ex=a[1].x-a[0].x,ey=a[1].y-a[0].y,ez=a[1].z-a[0].z,fx=a[2].x-a[0].x,fy=a[2].y-a[0].y,fz=a[2].z-a[0].z;double nx=ey*fz-ez*fy,ny=ez*fx-ex*fz,nz=ex*fy-ey*fx;
  o[n++]=(ground_layer){a[0].y+u*ey+v*fy,fabs(ny)/sqrt(nx*nx+ny*ny+nz*nz)>=B.flatness};if(n==64)break;}
  return ground_sort(o,n);}
static int wallcross(double ax,double az,double bx,double bz,double g){for(int i=0;i<nt;i++){V*a=tri[i];double d=(a[1].x-a[0].x)*(a[2].z-a[0].z)-(a[1].z-a[0].z)*(a[2].x-a[0].x);if(fabs(d)>1e-3)continue; // vertical
   // section of triangle with vertical plane through a,b
   double ex=bx-ax,ez=bz-az; double s[3];for(int k=0;k<3;k++)s[k]=ex*(a[k].z-az)-ez*(a[k].x-ax);
   double lo=1e9,hi=-1e9;double L2=ex*ex+ez*ez;for(int k=0;k<3;k++){int m=(k+1)%3;if((s[k]<0)==(s[m]<0))continue;double q=s[k]/(s[k]-s[m]);double px=a[k].x+q*(a[m].x-a[k].x),pz=a[k].z+q*(a[m].z-a[k].z),py=a[k].y+q*(a[m].y-a[k].y);double t=((px-ax)*ex+(pz-az)*ez)/L2;if(t<0||t>1)continue;if(py<lo)lo=py;if(py>hi)hi=py;}
   if(hi>g+B.step&&lo<g+B.height)return 1;}
 return 0;}
static int freeat(double x,double z,double g,double tol,double*o){ground_layer L[64];int n=col(x,z,L);for(int i=0;i<n;i++)if(fabs(L[i].y-g)<=tol&&ground_is_free(&B,L,n,i)){*o=L[i].y;return 1;}return 0;}
static double brute(double x,double z,double g,double r){double worst=r;for(int k=0;k<64;k++){double a=k*2*M_PI/64,y=g,px=x,pz=z;for(double s=.01;s<=worst+1e-9;s+=.01){double qx=x+s*cos(a),qz=z+s*sin(a),ny;if(!freeat(qx,qz,y,B.step,&ny)||wallcross(px,pz,qx,qz,fmax(y,ny))){worst=s;break;}y=ny;px=qx;pz=qz;}}return worst;}
int main(int c,char**v){int seeds=c>1?atoi(v[1]):3,first=c>2?atoi(v[2]):1,tot=0,dis=0,far=0;double tb=0;
 for(int s=first;s<first+seeds;s++){make(s);
  lope_terrain*t;lope_error e;lope_terrain_create(&t,&e);lope_terrain_mesh*m;lope_terrain_mesh_create(3*nt,nt,&m,&e);for(int i=0;i<3*nt;i++){V p=tri[i/3][i%3];m->vertices[i]=(lope_vec3){(float)p.x,(float)p.y,(float)p.z};m->indices[i]=i;}
  int pc;if(lope_terrain_add_mesh(t,m,&pc,&e)){puts(e.message);return 1;}
  list b={0};clock_t q=clock();lope_vec3 lo,hi;lope_terrain_bounds(t,&lo,&hi);ground_borders(t,&B,lo,hi,&b);tb+=(double)(clock()-q)/CLOCKS_PER_SEC;
  ground_border*bb=b.items;
  for(int i=0;i<2000;i++){double x=rnd()*12,z=rnd()*12;ground_layer L[64];int n=col(x,z,L);for(int k=0;k<n;k++){if(!ground_is_free(&B,L,n,k))continue;double g=L[k].y,r=.3;
    double d=9;int bi=-1;for(int j=0;j<b.count;j++){double ex=bb[j].to.x-bb[j].from.x,ez=bb[j].to.z-bb[j].from.z;double L2=ex*ex+ez*ez;double u=L2>0?((x-bb[j].from.x)*ex+(z-bb[j].from.z)*ez)/L2:0;u=u<0?0:u>1?1:u;double yy=bb[j].from_y+u*(bb[j].to_y-bb[j].from_y);if(fabs(yy-g)>.9)continue;double dd=hypot(x-bb[j].from.x-u*ex,z-bb[j].from.z-u*ez);if(dd<d){d=dd;bi=j;}}
    double w=brute(x,z,g,.34);int ours=d>=r,br=w>=r;tot++;if(ours!=br){dis++;if(fabs(w-d)>.03){far++;if(c>3)printf("seed %d at %.3f %.3f y %.3f: ours %.3f brute %.3f border %g %g y %g\n",s,x,z,g,d,w,bi<0?0:bb[bi].from.x,bi<0?0:bb[bi].from.z,bi<0?0:bb[bi].from_y);}}}}
  if(c>3)printf("seed %d: %d triangles, %d borders\n",s,nt,b.count);
  lope_free(b.items);lope_terrain_destroy(t);lope_terrain_mesh_destroy(m);}
 printf("%d places, %d disagree (%.2f%%), %d far; %.1f ms a level\n",tot,dis,100.*dis/tot,far,1000*tb/seeds);}
